# SPDX-License-Identifier: GPL-2.0-only
#
# Headers take most of the time to compile, so they are compiled once for all files with the same
# flags. ccache does not go with that, and saves more where something was compiled before. More headers
# than these, the module's own among them, save nothing: to load them costs as much.
if(CMAKE_CXX_COMPILER_LAUNCHER OR WORMHOLE_SANITIZE)
  set(precompile_default OFF)
else()
  set(precompile_default ON)
endif()
option(WORMHOLE_PRECOMPILE "Compile common headers once (without ccache)" ${precompile_default})
if(WORMHOLE_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC forgets that precompiled headers are the system's, and warns of what it sees in them.
  add_compile_options(-Wno-stringop-overflow)
endif()
set(precompiled_headers
    <algorithm>
    <functional>
    <map>
    <memory>
    <set>
    <sstream>
    <string>
    <vector>
    <ns3/net-device-container.h>
    <ns3/node-container.h>
    <ns3/object-factory.h>
    <ns3/packet.h>
    <ns3/pointer.h>
    <ns3/random-variable-stream.h>
    <ns3/simulator.h>
    <ns3/string.h>
    <ns3/traced-callback.h>
    <ns3/uinteger.h>
)
