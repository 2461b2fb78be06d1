using Postrider.Profile;

if (args is not [var recordings, var output, .. { Length: > 0 } folders])
{
    Console.Error.WriteLine("usage: Postrider.Profile RECORDINGS OUTPUT.mibc ASSEMBLIES... (folders; in RECORDINGS are the runtime's files, *.txt)");
    return 2;
}
foreach (var folder in folders.Prepend(recordings))
{
    if (!Directory.Exists(folder))
        return Fail($"'{folder}' is not a folder.");
}
var files = Directory.GetFiles(recordings, "*.txt").Order(StringComparer.Ordinal).ToList();
if (files.Count == 0)
    return Fail($"'{recordings}' contains no *.txt. The runtime writes one when a program that runs with DOTNET_WritePGOData=1 and DOTNET_PGODataPath ends.");

var profile = new ProgramProfile();
foreach (var path in files)
{
    try
    {
        profile.Add(File.ReadLines(path));
    }
    catch (FormatException error)
    {
        return Fail($"{path}: {error.Message}");
    }
}
using var index = new AssemblyIndex(folders);
var module = profile.ToModule(index);
if (module.Methods == 0)
    return Fail($"None of the {profile.Recorded} recorded methods was found in the assemblies.");
ProgramProfile.Write(module, output);
Console.WriteLine($"{module.Methods} methods, {new FileInfo(output).Length} bytes; left out: {profile.Unknown} that the assemblies do not contain once, {profile.Recorded - profile.Unknown - module.Methods} with type parameters of their own or of unknown types");
return 0;

static int Fail(string problem)
{
    Console.Error.WriteLine(problem);
    return 1;
}
