// Declarations that the files for Windows share. windows*.cpp include this header before any other.
#pragma once

#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00  // Windows 10
#endif
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // GCC's library defines it
#define NOMINMAX
#endif
#include <windows.h>

#include <string>
#include <string_view>

namespace plainformer {

// UTF-16 as UTF-8. Half of a character that is outside the basic plane becomes U+FFFD.
std::string to_utf8(std::wstring_view text);

// UTF-8 as UTF-16. Bytes that are not UTF-8 become U+FFFD.
std::wstring to_utf16(std::string_view text);

// The system's handle of an open file; INVALID_HANDLE_VALUE and EBADF if there is none.
HANDLE handle_of(int file);

// The mode of a console; false if the handle belongs to something else.
bool console_mode(HANDLE handle, DWORD* mode);

// Makes the standard streams that belong to a console carry UTF-8 from now on.
void use_consoles();

// read_bytes and wait_until_readable for standard input from a console.
std::ptrdiff_t read_console(HANDLE console, char* bytes, std::size_t count);
bool wait_for_console(HANDLE console, int milliseconds);

}  // namespace plainformer
