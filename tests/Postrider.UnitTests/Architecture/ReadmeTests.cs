using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

/// <summary>The README's C# is compiled as a reader would compile it, and run.</summary>
public sealed class ReadmeTests
{
    // What the SDK's implicit usings give a console program.
    private const string ImplicitUsings = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Threading;
        global using System.Threading.Tasks;
        """;

    public static TheoryData<string> Programs => [.. CodeBlocks(Repository.Read("README.md"), "csharp")];

    [Theory]
    [MemberData(nameof(Programs))]
    public async Task Program_compiles_without_a_warning_and_runs_to_its_end(string program)
    {
        var compilation = CSharpCompilation.Create(
            "Readme",
            [CSharpSyntaxTree.ParseText(ImplicitUsings), CSharpSyntaxTree.ParseText(program)],
            ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(file => MetadataReference.CreateFromFile(file)),
            new CSharpCompilationOptions(OutputKind.ConsoleApplication, nullableContextOptions: NullableContextOptions.Enable));
        using var image = new MemoryStream();

        var emitted = compilation.Emit(image);

        Findings.None(emitted.Diagnostics.Where(found => found.Severity >= DiagnosticSeverity.Warning));
        image.Position = 0;
        var main = new AssemblyLoadContext("README", isCollectible: true).LoadFromStream(image).EntryPoint!;
        await Task.Run(() => main.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [Array.Empty<string>()], null)).WaitAsync(TimeSpan.FromSeconds(60));
    }

    [Fact]
    public void There_is_a_program_in_the_README()
        => Assert.NotEmpty(CodeBlocks(Repository.Read("README.md"), "csharp"));

    private static IEnumerable<string> CodeBlocks(string page, string language)
        => page.Split("```" + language + "\n").Skip(1).Select(block => block[..block.IndexOf("```", StringComparison.Ordinal)]);
}
