using Postrider.Profile;

if (args is not [var recordings, var output, .. { Length: > 0 } folders])
{
    Console.Error.WriteLine("usage: Postrider.Profile RECORDINGS OUTPUT.mibc ASSEMBLIES... (folders; in RECORDINGS are the runtime's files, *.txt)");
    return 2;
}

var profile = new ProgramProfile();
foreach (var path in Directory.EnumerateFiles(recordings, "*.txt").Order(StringComparer.Ordinal))
    profile.Add(File.ReadLines(path));
using var index = new AssemblyIndex(folders);
var module = profile.ToModule(index);
if (module.Methods == 0)
{
    Console.Error.WriteLine($"None of the {profile.Recorded} recorded methods was found in the assemblies.");
    return 1;
}
ProgramProfile.Write(module, output);
Console.WriteLine($"{module.Methods} of {profile.Recorded} recorded methods, {new FileInfo(output).Length} bytes");
return 0;
