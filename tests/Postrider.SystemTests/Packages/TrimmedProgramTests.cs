using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.InteropServices;

namespace Postrider.SystemTests.Packages;

/// <summary>A program with 50 handlers, published with its own runtime and trimmed: without a warning, without reflection.</summary>
[Collection(nameof(RepositoryBuilds))]
public sealed class TrimmedProgramTests : IAsyncLifetime
{
    private static readonly string[] s_lookups =
        ["Activator", "Assembly", "GetMethod", "GetMethods", "GetConstructor", "GetConstructors", "GetProperty", "GetProperties",
            "GetInterfaces", "GetTypes", "MakeGenericType", "MakeGenericMethod", "CreateInstance", "Invoke"];

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-trimmed-").FullName;

    // A warning of the trimmer is an error of the publish.
    public async ValueTask InitializeAsync() => await DotnetCommand.SdkAsync(
        Checkout.Root, "publish", "samples/Converter", "-c", "Release", "-r", RuntimeInformation.RuntimeIdentifier, "--self-contained",
        "-warnaserror", "-o", _folder, "-nologo", "-v", "q");

    public ValueTask DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        return ValueTask.CompletedTask;
    }

    [Fact]
    public async Task Fifty_handlers_answer_and_nothing_of_the_program_looks_for_them_by_reflection()
    {
        var (exitCode, output) = await DotnetCommand.RunAsync(_folder, Path.Join(_folder, "Converter"));

        Assert.Equal(0, exitCode);
        var lines = output.TrimEnd().Split('\n');
        Assert.Equal(48, lines.Length);
        Assert.Equal("MilesToKilometers { Miles = 10 } = 16.09344", lines[0]);
        Assert.Contains("FahrenheitToRankine { Degrees = 10 } = 469.67", lines);
        Assert.Equal("50 message types; 49 conversions heard, 10 since; sum of the table 401", lines[46]);
        Assert.StartsWith("CelsiusToKelvin { Degrees = NaN } is no number.", lines[47], StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Join(_folder, "Microsoft.CSharp.dll")));
        Assert.Empty(Lookups(Path.Join(_folder, "Converter.dll")));
        Assert.Empty(Lookups(Path.Join(_folder, "Postrider.dll")));
    }

    // What is left after trimming: every method of reflection that the assembly could call.
    private static List<string> Lookups(string file)
    {
        using var assembly = new PEReader(File.OpenRead(file));
        var metadata = assembly.GetMetadataReader();
        var found = new List<string>();
        foreach (var handle in metadata.MemberReferences)
        {
            var member = metadata.GetMemberReference(handle);
            if (member.Parent.Kind != HandleKind.TypeReference)
                continue;

            var type = metadata.GetTypeReference((TypeReferenceHandle)member.Parent);
            var (space, name) = (metadata.GetString(type.Namespace), metadata.GetString(type.Name));
            var called = metadata.GetString(member.Name);
            var isReflection = (space == "System" && name is "Type" or "Activator") || space == "System.Reflection";
            if (isReflection && (s_lookups.Contains(called) || s_lookups.Contains(name)))
                found.Add($"{space}.{name}.{called}");
        }

        return found;
    }
}
