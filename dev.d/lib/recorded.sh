# recorded.sh ARGUMENTS...: postrider serve ARGUMENTS, with its code compiled while it runs and counting until it ends.
# The runtime then writes the counts to a file in RECORDINGS.
touch "$RECORDINGS/$$.started"
export DOTNET_WritePGOData=1
export DOTNET_PGODataPath=$RECORDINGS/$$.txt
export DOTNET_TieredPGO=1
# Count from the first call of each method, not only in those that were called 30 times, and never compile them again
# without counters. Loops stay in the code that counts for 65,535 rounds (hexadecimal).
export DOTNET_TieredPGO_InstrumentOnlyHotCode=0
export DOTNET_TC_CallCounting=0
export DOTNET_TC_OnStackReplacement_InitialCounter=FFFF
export DOTNET_OSR_HitLimit=FFFF
exec dotnet apps/postrider/bin/Release/net10.0/Postrider.CommandLine.dll serve "$@"
