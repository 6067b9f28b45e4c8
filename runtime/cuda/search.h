/* search: the folders that CUDA's libraries may lie in, and where their functions go. */
#ifndef GK_CUDA_SEARCH_H
#define GK_CUDA_SEARCH_H

#include "library.h"

/* The files that patterns match, of all patterns together the highest version first; ended by NULL. */
void gk_search_folders(struct gk_search *search, const char *const *patterns);
/* The same in the folders that the system's toolkits put libraries into, and in those that the wheels of Python do. */
void gk_search_toolkits(struct gk_search *search, const char *pattern);
void gk_search_wheels(struct gk_search *search, const char *pattern);

/* A function of a library and its place in a struct of function pointers. */
struct gk_entry {
    const char *name, *symbol;
    int version; /* of CUDA in which it got this form; 0 where nobody asks for it */
    int is_needed;
    size_t at;
};

#endif
