/* Keys: records that differ when their fields do, their numbers, and fields found again. */
#include "jit/key.h"

#include <criterion/criterion.h>
#include <string.h>

#include "jit/hash.h"

static struct gk_key made(const char *tags, const char *const *texts) {
    struct gk_key key;
    gk_key_start(&key);
    for (size_t i = 0; tags[i]; i++)
        gk_key_text(&key, tags[i], texts[i]);
    gk_key_finish(&key);
    return key;
}
#define KEY(tags, ...) made(tags, (const char *const[]){__VA_ARGS__})

Test(key, numbers_are_those_of_xxh3_128) {
    uint64_t number[2];
    gk_hash(number, "", 0);
    cr_expect_eq(number[0], 0x6001c324468d497fu);
    cr_expect_eq(number[1], 0x99aa06d3014798d8u);
    struct gk_key key = {.length = 3, .number = {0x1, 0xfedcba9876543210u}};
    char name[GK_KEY_NAME];
    cr_expect_str_eq(gk_key_name(&key, name), "fedcba98765432100000000000000001");
}

Test(key, a_record_is_tags_lengths_and_bytes) {
    struct gk_key key = KEY("ab", "xy", "");
    static const unsigned char record[] = {'a', 2, 0, 0, 0, 'x', 'y', 'b', 0, 0, 0, 0};
    uint64_t number[2];
    cr_assert_eq(key.length, sizeof record);
    cr_expect_arr_eq(key.record, record, sizeof record);
    gk_hash(number, record, sizeof record);
    cr_expect_arr_eq(key.number, number, sizeof number);
}

Test(key, lists_of_fields_that_differ_are_different_keys) {
    struct gk_key keys[] = {KEY("ab", "xy", "z"), KEY("ab", "x", "yz"), KEY("ba", "xy", "z"), KEY("ab", "xyz", ""),
                            KEY("ab", "", "xyz"), KEY("a", "xyz"),      KEY("aa", "xy", "z"), KEY("a", "xyb\1z")};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (size_t j = 0; j < sizeof keys / sizeof *keys; j++) {
            cr_expect_eq(gk_key_equal(&keys[i], &keys[j]), i == j, "%zu %zu", i, j);
            cr_expect_eq(memcmp(keys[i].number, keys[j].number, sizeof keys[i].number) == 0, i == j, "%zu %zu", i, j);
        }
}

Test(key, equality_is_of_records_and_not_of_numbers) {
    struct gk_key a = KEY("a", "xy"), b = a;
    b.record[5] ^= 1;
    cr_expect_not(gk_key_equal(&a, &b));
    b = a;
    b.number[0] ^= 1;
    cr_expect(gk_key_equal(&a, &b));
}

Test(key, what_does_not_fit_makes_it_invalid) {
    static unsigned char large[GK_KEY_BYTES];
    for (size_t n = GK_KEY_BYTES - 12; n <= GK_KEY_BYTES; n++) {
        struct gk_key key;
        gk_key_start(&key);
        gk_key_bytes(&key, 'x', large, n);
        gk_key_finish(&key);
        cr_expect_eq(key.length, n <= GK_KEY_BYTES - 5 ? n + 5 : 0, "%zu", n);
        gk_key_start(&key);
        gk_key_bytes(&key, 'x', large, n);
        gk_key_text(&key, 'y', "");
        gk_key_finish(&key);
        cr_expect_eq(key.length, n <= GK_KEY_BYTES - 10 ? n + 10 : 0, "%zu and another", n);
    }
    struct gk_key key;
    gk_key_start(&key);
    gk_key_bytes(&key, 'x', large, SIZE_MAX);
    gk_key_text(&key, 'y', "a short one does not make it valid again");
    gk_key_finish(&key);
    cr_expect_eq(key.length, 0);
}

Test(key, fields_are_found_by_their_tag) {
    struct gk_key key = KEY("abac", "first", "", "second", "third");
    size_t n = 99;
    const char *field = gk_key_field(key.record, key.length, 'a', &n);
    cr_assert_eq(n, 5);
    cr_expect_arr_eq(field, "first", 5);
    cr_expect_not_null(gk_key_field(key.record, key.length, 'b', &n));
    cr_expect_eq(n, 0);
    field = gk_key_field(key.record, key.length, 'c', &n);
    cr_assert_eq(n, 5);
    cr_expect_arr_eq(field, "third", 5);
    cr_expect_null(gk_key_field(key.record, key.length, 'd', &n));
    cr_expect_null(gk_key_field(key.record, 0, 'a', &n));
}

Test(key, malformed_records_have_no_fields) {
    struct gk_key key = KEY("ab", "first", "second");
    const size_t whole = 5 + 5;
    size_t n;
    for (size_t length = 0; length < key.length; length++)
        cr_expect_eq(gk_key_field(key.record, length, 'a', &n) != NULL, length == whole, "cut at %zu", length);
    key.record[whole + 1] = 7;
    cr_expect_null(gk_key_field(key.record, key.length, 'a', &n), "the second field is longer than the record");
    memset(key.record + whole + 1, 0xff, 4);
    cr_expect_null(gk_key_field(key.record, key.length, 'a', &n), "as long as can be");
}
