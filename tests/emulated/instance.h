/* instance: templates/cuda/nest.cu once more, as emulated_<GK_INSTANCE>. Before it: GK_INSTANCE, GK_VALUE and the
 * macros that the text asks for; they are gone afterwards. */
#define GK_INSTANCE_PASTE_(a, b) a##_##b
#define GK_INSTANCE_PASTE(a, b) GK_INSTANCE_PASTE_(a, b)
#define GK_INSTANCE_NAME(name) GK_INSTANCE_PASTE(name, GK_INSTANCE)
#define gk_element GK_INSTANCE_NAME(gk_element)
#define gk_piece GK_INSTANCE_NAME(gk_piece)
#define gk_take_item GK_INSTANCE_NAME(gk_take_item)
#define gk_find GK_INSTANCE_NAME(gk_find)
#define gk_next GK_INSTANCE_NAME(gk_next)
#define gk_factor GK_INSTANCE_NAME(gk_factor)
#define gk_update GK_INSTANCE_NAME(gk_update)
#define gk_output GK_INSTANCE_NAME(gk_output)
#define gk_stays GK_INSTANCE_NAME(gk_stays)
#define gk_combine_shared GK_INSTANCE_NAME(gk_combine_shared)
#define GK_KERNEL(name) static void GK_INSTANCE_NAME(name)
#define GK_ITEM uint64_t
#include "templates/cuda/nest.cu"
#undef GK_INSTANCE
#undef GK_INSTANCE_PASTE_
#undef GK_INSTANCE_PASTE
#undef GK_INSTANCE_NAME
#undef gk_element
#undef gk_piece
#undef gk_take_item
#undef gk_find
#undef gk_next
#undef gk_factor
#undef gk_update
#undef gk_output
#undef gk_stays
#undef gk_combine_shared
#undef GK_KERNEL
#undef GK_ITEM
#undef GK_VALUE
#undef GK_PIECE
#undef GK_BATCH
#undef GK_COMBINE
#undef GK_MULTIPLY
#undef GK_ATOMIC
#undef GK_ATOMIC_BITS
#undef GK_FACTOR
#undef GK_TAKE
#undef GK_FIND_ONE
#undef GK_ADVANCE
#undef GK_EXTENT
#undef GK_MOVES_OUTPUT
#undef GK_SHARES
#undef GK_PASTE
#undef GK_PASTE_
