using System.Collections.Immutable;
using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Generator;
using Postrider.Generator.Diagnostics;

namespace Postrider.GeneratorTests;

/// <summary>A user's project: compiled with the generator, checked by the analyzers, and run.</summary>
internal sealed class UserProject
{
    private const string Usings = """
        global using System;
        global using System.Collections.Generic;
        global using System.Linq;
        global using System.Threading;
        global using System.Threading.Tasks;
        global using Microsoft.Extensions.DependencyInjection;
        global using Postrider;
        """;

    private static readonly MetadataReference[] s_platform =
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => !Path.GetFileName(p).StartsWith("Postrider.G", StringComparison.Ordinal))
            .Where(p => Path.GetFileName(p) != "Postrider.Compat.MediatR.dll")
            .Select(p => MetadataReference.CreateFromFile(p))];

    private readonly byte[] _image;

    private UserProject(CSharpCompilation compilation, byte[] image)
    {
        Compilation = compilation;
        _image = image;
    }

    internal static CSharpParseOptions Options { get; } = new CSharpParseOptions(LanguageVersion.Preview)
        .WithFeatures([new("InterceptorsNamespaces", "Postrider.Generated")]);

    internal CSharpCompilation Compilation { get; }

    internal static UserProject Compile(
        string source, string name = "User", bool isLibrary = false, bool withCompat = false, params UserProject[] references)
    {
        var compilation = Source(source, name, isLibrary, withCompat, references);
        CSharpGeneratorDriver.Create([new PostriderGenerator().AsSourceGenerator()], parseOptions: Options)
            .RunGeneratorsAndUpdateCompilation(compilation, out var output, out var problems, TestContext.Current.CancellationToken);
        Assert.Empty(problems);

        using var image = new MemoryStream();
        var emitted = output.Emit(image, cancellationToken: TestContext.Current.CancellationToken);
        Assert.True(emitted.Success, string.Join("\n", emitted.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error)));
        return new UserProject((CSharpCompilation)output, image.ToArray());
    }

    /// <summary>The compilation before the generator has run.</summary>
    internal static CSharpCompilation Source(
        string source, string name = "User", bool isLibrary = false, bool withCompat = false, params UserProject[] references)
        => CSharpCompilation.Create(
            name,
            [CSharpSyntaxTree.ParseText(Usings, Options, "Usings.cs"), CSharpSyntaxTree.ParseText(source, Options, "User.cs")],
            [.. s_platform, .. Compat(withCompat), .. references.Select(r => MetadataReference.CreateFromImage(r._image))],
            new CSharpCompilationOptions(
                isLibrary ? OutputKind.DynamicallyLinkedLibrary : OutputKind.ConsoleApplication,
                nullableContextOptions: NullableContextOptions.Enable));

    internal static async Task<ImmutableArray<Diagnostic>> Diagnose(CSharpCompilation compilation)
        => await compilation
            .WithAnalyzers([new PostriderAnalyzer(), new MigrationAnalyzer()])
            .GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);

    /// <summary>Runs <c>App.Run()</c> and gives what it returns.</summary>
    internal Task<string> Run(params UserProject[] references) => RunWith([], references);

    /// <summary>Runs <c>App.Run(...)</c>, with the program's statics as they are at its start.</summary>
    internal async Task<string> RunWith(object[] arguments, params UserProject[] references)
    {
        var context = new AssemblyLoadContext("user", isCollectible: true);
        foreach (var reference in references)
            context.LoadFromStream(new MemoryStream(reference._image));
        var assembly = context.LoadFromStream(new MemoryStream(_image));
        var run = assembly.GetType("App")!.GetMethod("Run", BindingFlags.Static | BindingFlags.Public)!;
        return await ((Task<string>)run.Invoke(null, arguments)!).WaitAsync(TimeSpan.FromMinutes(2));
    }

    private static MetadataReference[] Compat(bool isWanted)
        => isWanted ? [MetadataReference.CreateFromFile(typeof(Compat.MediatR.IMediator).Assembly.Location)] : [];
}
