# recorded.sh ARGUMENTS...: postrider serve ARGUMENTS, with its code compiled while it runs and counting from the first call.
# The runtime writes the counts to a file in RECORDINGS when the server ends. Its settings are hexadecimal.
export DOTNET_WritePGOData=1
export DOTNET_PGODataPath=$RECORDINGS/$$.txt
export DOTNET_TieredPGO=1
# Count in all methods, not only in those that were called 30 times, and for 65,535 calls instead of 30.
export DOTNET_TieredPGO_InstrumentOnlyHotCode=0
export DOTNET_TC_CallCountThreshold=FFFF
# Stay in a loop that counts for as long.
export DOTNET_TC_OnStackReplacement_InitialCounter=FFFF
export DOTNET_OSR_HitLimit=FFFF
exec dotnet apps/postrider/bin/Release/net10.0/Postrider.CommandLine.dll serve "$@"
