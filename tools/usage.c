/* usage: what --help prints. */
#include "usage.h"

#include <string.h>

#include "session.h"

static const char general[] =
    "usage: gasket VERB ...\n"
    "\n"
    "  run OP NAME=VALUE...      run an operation and print the result or write it to a file\n"
    "  run --formula TEXT ...    the same of an operation that is written there\n"
    "  explain OP NAME=VALUE...  say what a run would do, and why; show a call-time kernel\n"
    "  jit OP NAME=VALUE...      compile the call-time kernel of a call without running it\n"
    "  warm FILE                 the same for a list of calls, one a line\n"
    "  cache [ACTION]            look after the cache of compiled kernels\n"
    "  list [OP] [NAME=WORD...]  list the combinations that compiled kernels serve\n"
    "  info                      version, instruction sets, tiers, operations\n"
    "\n"
    "gasket VERB --help says more; gasket run OP --help describes the operation OP.\n"
    "Exit status: 0 done, 1 failed (nothing was written), 2 wrong usage.\n";

static const char run[] =
    "usage: gasket run OP NAME=VALUE... [options]\n"
    "       gasket run --formula TEXT NAME=VALUE... [options]\n"
    "\n"
    "  gasket run gather params=p.npy indices=i.npy axis=1 -o out.npy\n"
    "  gasket run scatter_nd indices='[[0],[2]]' updates='[1.5,2.5]' shape=4\n"
    "  gasket run --formula 'out[B, W] = x[B, i[B, W]]' x=x.npy i=i.npy\n"
    "\n"
    "options\n"
    "  --formula TEXT   an operation of your own instead of OP: out[...] = x[...], +=, max= ..., as in gasket info\n"
    "  --ranks TEXT     how many dimensions a group has where it does not follow: 'O = 1, B = rank(i) - 1'\n"
    "  -o FILE.npy      write the result there; without it the result is printed, shortened when large\n"
    "  --threads N      at most N threads; 0, the default, is all\n"
    "  --isa NAME       base, avx2, avx512 or neon instead of the best of this machine\n"
    "  --tier NAME      exact, jit, general or interpreter: that tier only\n"
    "  --jit WHEN       off, sync, async (the default) or require: when call-time kernels are compiled\n"
    "  --cache DIR      where they are kept on disk\n"
    "  --repeat N       run N times after a run to warm up, with the inputs read into memory first\n"
    "  --check          run the interpreter too and compare bit for bit; a difference is a failure\n"
    "  --verbose        tell shapes, kernel and time on stderr; --repeat and --check do so too, without --json\n"
    "  --json           instead of the result, print one object: op shape dtype tier kernel isa threads repeat\n"
    "                   seconds_median seconds_min output_bytes, and checked with --check\n";

static const char explain[] =
    "usage: gasket explain OP NAME=VALUE... [options]\n"
    "       gasket explain --formula TEXT NAME=VALUE... [--ranks TEXT] [options]\n"
    "\n"
    "Takes the arguments of run, checks them, runs nothing, and tells the call as 'jit' and 'warm' read it, its "
    "normal\n"
    "form, each candidate and why it was refused or chosen, and the call-time kernel, which is compiled unless\n"
    "--jit is off or require. The options --threads, --isa, --tier, --jit and --cache are those of run.\n"
    "\n"
    "  --source, --ir, --optimised, --asm, --object\n"
    "             print only this of the call-time kernel: its C text, LLVM's text before and after its passes,\n"
    "             assembly, an ELF file. Where an exact ahead-of-time kernel serves the call, add --tier jit.\n"
    "             gasket explain --source ... > k.c && cc -c -I PREFIX/include/gasket k.c\n"
    "  --json     print one object: op shape dtype tier kernel isa threads output_bytes text and, with a call-time\n"
    "             kernel, key cached milliseconds code_bytes\n";

static const char jit[] =
    "usage: gasket jit OP NAME=VALUE... [--threads N] [--isa NAME] [--tier jit] [--cache DIR] [--json]\n"
    "       gasket jit --formula TEXT NAME=VALUE... [--ranks TEXT] ...\n"
    "\n"
    "  gasket jit embedding_bag table=f32[1000,64] indices=i64[32,10] weights=f32[32,10]\n"
    "\n"
    "Compiles the kernel of the call, or reads it from the cache, and prints its name, its key, how long that took "
    "and\n"
    "how many bytes of code it has. Runs nothing. With --tier jit also where an exact ahead-of-time kernel serves.\n"
    "--json prints one object: op shape dtype tier kernel isa threads key cached milliseconds code_bytes not_stored.\n";

static const char warm[] =
    "usage: gasket warm FILE [--threads N] [--isa NAME] [--tier jit] [--cache DIR] [--json]\n"
    "\n"
    "Fills the cache ahead of need. FILE, or '-' for standard input, has a call on each line, as explain prints it:\n"
    "  call: gather_nd params=f32[1000,64] indices=i64[32,1] batch_dims=0\n"
    "  --formula 'out[G] += t[i[G, L]] * w[G, L] from zeros' --ranks 'L = 1' t=f32[9] i=i64[2,2] w=f32[2,2]\n"
    "'call:' may be missing, # begins a comment. A line that is wrong, or whose kernel can not be compiled and "
    "stored,\n"
    "is told with its number; the others go on. Status 1 where there was one.\n"
    "--json prints one object: problems compiled cached ahead_of_time failed.\n";

static const char cache[] =
    "usage: gasket cache [ACTION] [--cache DIR] [--json]\n"
    "\n"
    "  stat               where it is, how many entries, how large, and why it is not used; without ACTION\n"
    "  list               file, template, instruction set, size, last use and compiler of each entry\n"
    "  verify             reads each entry; status 1 where one is damaged\n"
    "  prune [--to BYTES] removes damaged entries, and the least recently used down to the limit or to BYTES\n"
    "  clear              removes all entries\n"
    "  export FILE        writes all sound entries to a file, for machines of the same processor\n"
    "  import FILE        takes them in\n"
    "The directory is --cache, GASKET_CACHE_DIR, XDG_CACHE_HOME/gasket or HOME/.cache/gasket; GASKET_CACHE_BYTES is\n"
    "its limit, 256 MiB unless said.\n";

static const char list[] =
    "usage: gasket list [OP] [NAME=WORD...] [--isa NAME] [--json]\n"
    "\n"
    "Prints operation, value type, index type, combine, form, bounds and bodies of each combination. Filters:\n"
    "  value=f32 index=i64 combine=add bounds=drop    the column is the word\n"
    "  axis=inner batch=0 depth=2                     the form has this part\n"
    "  bodies=move_r4                                 the bodies have this text\n"
    "--json prints one object: combinations (a list) and count.\n";

static const char info[] =
    "usage: gasket info [--threads N] [--isa NAME] [--cache DIR] [--json]\n"
    "\n"
    "Prints the version, the processor, which instruction sets and tiers can be used and why others can not, the "
    "number\n"
    "of threads, the compiler of call-time kernels and their cache, and the operations.\n";

static const char values[] =
    "\n"
    "VALUE of a tensor\n"
    "  FILE.npy         NumPy's format: any order of dimensions and bytes; mapped, not copied, where that can be\n"
    "  FILE.npy:TYPE    its elements taken as another type of the same width: bf16 from |V2 or <u2, f8_* from |V1 or "
    "|u1.\n"
    "                   i4, u4 and f4_e2m1fn come two in a byte, lower half first, and double the last dimension\n"
    "  [[0,1],[2,3]]    a literal; :TYPE after it, as in [1,2]:i32, sets the type. Else whole numbers are i64, "
    "numbers\n"
    "                   with a point f32, true and false bool, 1+2j c64, quoted texts strings, and [] is i64.\n"
    "                   f8_* and f4_* values are written as their bits: [0x38,0x40]:f8_e4m3fn. 5 is of rank 0\n"
    "  f32[8,4]{1,8}@64 type and shape alone, with strides in elements and a byte offset where they are not those of "
    "a\n"
    "                   compact tensor: for explain, jit and warm, which need no elements. out=... says how the "
    "result\n"
    "                   lies. Braces have to be quoted in most shells\n"
    "A file whose name looks like one of these is written ./5.\n"
    "Results in files: bf16 is |V2, f8_* is |V1, 4-bit types are |u1 with half the last dimension, strings are |S,\n"
    "padded with zeros to the longest (and zeros at the end of |S elements are taken off when they are read).\n"
    "\n"
    "other VALUEs\n"
    "  axis=-1          a whole number\n"
    "  shape=8,4        a list of whole numbers, or [8,4]\n"
    "  bounds=MODE      error (the default), fill (gather), drop (scatter), clip, from_end, unchecked\n"
    "  fill=VALUE       what bounds=fill stores: a number, a text for strings, a complex number or a file of rank 0\n"
    "  combine=WAY      store, add, sub, mul, min or max, where the formula has ?=\n"
    "  nan=WAY          ignore (the default) or propagate, for min and max\n"
    "  accumulate=WAY   native (the default) or f32, for sums of f16 and bf16\n";

static const struct {
    const char *verb, *text, *more;
} helps[] = {{"run", run, values}, {"explain", explain, values}, {"jit", jit, values}, {"warm", warm, ""},
             {"cache", cache, ""}, {"list", list, ""},           {"info", info, ""}};

void tool_usage(FILE *file) {
    fputs(general, file);
}

static const char *kind_text(const struct gasket_parameter *parameter) {
    static const char *const kinds[] = {"tensor", "whole number", "list", "number", "word"};
    int is_index = parameter->kind == GASKET_ARGUMENT_TENSOR && parameter->role == GASKET_ROLE_INDEX;
    return is_index ? "index tensor" : kinds[parameter->kind];
}

static void describe(const struct gasket_operation_info *operation) {
    printf("%s: %s\n\n  %s\n\n", operation->name, operation->summary, operation->formula);
    for (size_t i = 0; i < operation->n_parameters; i++) {
        const struct gasket_parameter *parameter = &operation->parameters[i];
        const char *note = i == 0 ? "the result" : parameter->is_optional ? "optional" : "";
        printf("  %-14s %-13s %-11s %s\n", parameter->name, kind_text(parameter), note,
               parameter->doc ? parameter->doc : "");
    }
    putchar('\n');
}

static int describe_named(const struct tool_command *command, struct tool_failure *failure) {
    struct tool_session session;
    struct gasket_operation_info operation;
    int outcome = tool_session_open(&session, command, NULL, failure);
    outcome = outcome ? outcome : tool_operation_find(session.context, command->operation, &operation, failure);
    if (!outcome) {
        describe(&operation);
    }
    tool_session_close(&session);
    return outcome;
}

int tool_help(const char *verb, const struct tool_command *command, struct tool_failure *failure) {
    if (command->operation) {
        int outcome = describe_named(command, failure);
        if (outcome) {
            return outcome;
        }
    }
    for (size_t i = 0; i < sizeof helps / sizeof helps[0]; i++) {
        if (strcmp(helps[i].verb, verb) == 0) {
            fputs(helps[i].text, stdout);
            fputs(helps[i].more, stdout);
        }
    }
    return TOOL_DONE;
}
