/* types: the table of types, by DLPack's codes (also those newer than the installed dlpack.h). */
#include "types.h"

static const struct tool_type types[] = {
    {6, 8, TOOL_FORM_BOOL, 'b'},      {0, 8, TOOL_FORM_SIGNED, 'i'},    {0, 16, TOOL_FORM_SIGNED, 'i'},
    {0, 32, TOOL_FORM_SIGNED, 'i'},   {0, 64, TOOL_FORM_SIGNED, 'i'},   {1, 8, TOOL_FORM_UNSIGNED, 'u'},
    {1, 16, TOOL_FORM_UNSIGNED, 'u'}, {1, 32, TOOL_FORM_UNSIGNED, 'u'}, {1, 64, TOOL_FORM_UNSIGNED, 'u'},
    {2, 16, TOOL_FORM_FLOAT, 'f'},    {4, 16, TOOL_FORM_FLOAT, 'V'},    {2, 32, TOOL_FORM_FLOAT, 'f'},
    {2, 64, TOOL_FORM_FLOAT, 'f'},    {5, 64, TOOL_FORM_COMPLEX, 'c'},  {5, 128, TOOL_FORM_COMPLEX, 'c'},
    {7, 8, TOOL_FORM_BITS, 'V'},      {8, 8, TOOL_FORM_BITS, 'V'},      {9, 8, TOOL_FORM_BITS, 'V'},
    {10, 8, TOOL_FORM_BITS, 'V'},     {11, 8, TOOL_FORM_BITS, 'V'},     {12, 8, TOOL_FORM_BITS, 'V'},
    {13, 8, TOOL_FORM_BITS, 'V'},     {14, 8, TOOL_FORM_BITS, 'V'},     {0, 4, TOOL_FORM_SIGNED, 'u'},
    {1, 4, TOOL_FORM_UNSIGNED, 'u'},  {17, 4, TOOL_FORM_BITS, 'u'},     {3, 128, TOOL_FORM_STRING, 'S'},
};
enum { N_TYPES = sizeof types / sizeof types[0] };

const struct tool_type *tool_type_of(DLDataType type) {
    for (int i = 0; i < N_TYPES && type.lanes == 1; i++) {
        if (types[i].code == type.code && types[i].bits == type.bits) {
            return &types[i];
        }
    }
    return NULL;
}

const struct tool_type *tool_type_of_npy(char letter, int64_t bytes) {
    for (int i = 0; i < N_TYPES && letter != 'V'; i++) {
        if (types[i].npy == letter && (letter == 'S' || types[i].bits == bytes * 8)) {
            return &types[i];
        }
    }
    return NULL;
}

DLDataType tool_type_dlpack(const struct tool_type *type) {
    DLDataType dlpack = {type->code, type->bits, 1};
    return dlpack;
}
