/* Appending to strings with a caller's allocator: results, who owns what, cost, and memory that runs out. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "string_memory.h"

/* An allocator that counts, fails after `left` calls, and frees all at the end. */
struct arena {
    int calls, left;
    size_t bytes;
    void *blocks[GK_STRING_CHUNKS];
};

static void *arena_allocate(void *user, size_t bytes) {
    struct arena *arena = user;
    if (arena->left == 0 || bytes > (size_t)1 << 32) return NULL;
    arena->left--;
    arena->bytes += bytes;
    arena->blocks[arena->calls] = malloc(bytes);
    return arena->blocks[arena->calls++];
}

static void arena_free(struct arena *arena) {
    for (int i = 0; i < arena->calls; i++) {
        free(arena->blocks[i]);
    }
}

static struct gasket_string_view view_of(const char *text) {
    struct gasket_string_view view = {text, strlen(text)};
    return view;
}

static int holds(const struct gasket_string_view *view, const char *text) {
    return view->length == strlen(text) && (view->length == 0 || memcmp(view->data, text, view->length) == 0);
}

static void init(struct gk_string_memory *memory, struct arena *arena, int calls) {
    memset(arena, 0, sizeof *arena);
    arena->left = calls;
    gk_string_memory_init(memory, arena_allocate, arena);
}

Test(strings, an_empty_target_takes_the_view) {
    struct gk_string_memory memory;
    struct arena arena;
    struct gasket_string_view target = {NULL, 0}, update = view_of("ab");
    init(&memory, &arena, 0);
    cr_assert_eq(gk_string_append(&memory, &target, &update), 0);
    cr_assert(target.data == update.data && target.length == 2);
    cr_assert_eq(arena.calls, 0);
}

Test(strings, an_empty_update_changes_nothing) {
    struct gk_string_memory memory;
    struct arena arena;
    struct gasket_string_view target = view_of("ab"), update = {NULL, 0}, before = target;
    init(&memory, &arena, 0);
    cr_assert_eq(gk_string_append(&memory, &target, &update), 0);
    cr_assert(target.data == before.data && target.length == before.length);
}

Test(strings, appends_in_order_and_leaves_the_callers_bytes) {
    struct gk_string_memory memory;
    struct arena arena;
    char first[] = "ab-caller";
    struct gasket_string_view target = {first, 2}, more = view_of("cd"), last = view_of("e");
    init(&memory, &arena, 1);
    cr_assert_eq(gk_string_append(&memory, &target, &more), 0);
    cr_assert_eq(gk_string_append(&memory, &target, &last), 0);
    cr_assert(holds(&target, "abcde"));
    cr_assert_str_eq(first, "ab-caller");
    arena_free(&arena);
}

Test(strings, two_targets_that_grow_in_turn_stay_apart) {
    struct gk_string_memory memory;
    struct arena arena;
    struct gasket_string_view a = {NULL, 0}, b = {NULL, 0}, x = view_of("x"), y = view_of("yy");
    char expected_a[301], expected_b[601];
    init(&memory, &arena, 20);
    for (int i = 0; i < 300; i++) {
        cr_assert_eq(gk_string_append(&memory, &a, &x), 0);
        cr_assert_eq(gk_string_append(&memory, &b, &y), 0);
    }
    memset(expected_a, 'x', 300);
    memset(expected_b, 'y', 600);
    expected_a[300] = expected_b[600] = 0;
    cr_assert(holds(&a, expected_a));
    cr_assert(holds(&b, expected_b));
    arena_free(&arena);
}

Test(strings, an_update_may_be_the_target_or_a_part_of_it) {
    struct gk_string_memory memory;
    struct arena arena;
    struct gasket_string_view target = view_of("ab"), c = view_of("c"), part, empty = {NULL, 0};
    init(&memory, &arena, 20);
    cr_assert_eq(gk_string_append(&memory, &target, &target), 0);
    cr_assert(holds(&target, "abab"));
    cr_assert_eq(gk_string_append(&memory, &target, &target), 0);
    cr_assert(holds(&target, "abababab"));
    part = target;
    part.data += 1;
    part.length = 2;
    cr_assert_eq(gk_string_append(&memory, &target, &part), 0);
    cr_assert(holds(&target, "ababababba"));
    /* A view of bytes of ours is copied: two strings never share room to grow. */
    cr_assert_eq(gk_string_append(&memory, &empty, &part), 0);
    cr_assert(holds(&empty, "ba") && empty.data != part.data);
    cr_assert_eq(gk_string_append(&memory, &empty, &c), 0);
    cr_assert(holds(&empty, "bac"));
    cr_assert(holds(&target, "ababababba"));
    arena_free(&arena);
}

Test(strings, a_million_appends_cost_a_few_chunks) {
    struct gk_string_memory memory;
    struct arena arena;
    struct gasket_string_view target = {NULL, 0}, digit = view_of("7");
    init(&memory, &arena, GK_STRING_CHUNKS);
    for (int i = 0; i < 1000000; i++) {
        cr_assert_eq(gk_string_append(&memory, &target, &digit), 0);
    }
    cr_assert_eq(target.length, 1000000);
    for (int i = 0; i < 1000000; i++) {
        cr_assert_eq(target.data[i], '7');
    }
    cr_assert_lt(arena.calls, 16);
    cr_assert_lt(arena.bytes, 16u << 20);
    arena_free(&arena);
}

Test(strings, memory_that_runs_out_leaves_the_target) {
    struct gk_string_memory memory;
    struct arena arena;
    struct gasket_string_view target = view_of("ab"), update = view_of("cd"), before = target;
    init(&memory, &arena, 0);
    cr_assert_neq(gk_string_append(&memory, &target, &update), 0);
    cr_assert(target.data == before.data && target.length == 2);
    gk_string_memory_init(&memory, NULL, NULL);
    cr_assert_neq(gk_string_append(&memory, &target, &update), 0);
    cr_assert(target.data == before.data && target.length == 2);
}

Test(strings, sizes_that_overflow_are_refused) {
    struct gk_string_memory memory;
    struct arena arena;
    struct gasket_string_view target = {"a", SIZE_MAX - 1}, update = {"bc", 2}, huge = {"d", SIZE_MAX / 2};
    init(&memory, &arena, 20);
    cr_assert_neq(gk_string_append(&memory, &target, &update), 0);
    cr_assert_eq(target.length, SIZE_MAX - 1);
    target.length = 1;
    cr_assert_neq(gk_string_append(&memory, &target, &huge), 0);
    cr_assert_eq(target.length, 1);
    cr_assert_eq(arena.calls, 0);
}
