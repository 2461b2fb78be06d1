using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.UnitTests.Architecture;

/// <summary>The C# of a page, compiled as a reader would compile it, and run.</summary>
/// <remarks>
/// All pieces of a page are one program, in the order of the page. A piece whose fence says <c>csharp compile</c> is compiled
/// with the others and does not run: it needs a network, or an end that a test does not wait for. A comment behind
/// <c>Console.WriteLine(…);</c> is the line that the program prints there.
/// </remarks>
internal sealed partial class GuideProgram
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

    // Stands before System.Console, as a type of the program's own namespace does: programs of several tests run at once.
    private const string CapturingConsole = """
        internal static class Console
        {
            public static readonly List<string> Lines = new List<string>();

            public static void WriteLine(object? value)
            {
                lock (Lines) Lines.Add(value?.ToString() ?? "");
            }
        }
        """;

    private static readonly Dictionary<string, ReportDiagnostic> Ignored = new()
    {
        // A piece that does not run is a function without a caller, and may have nothing to await.
        ["CS8321"] = ReportDiagnostic.Suppress,
        ["CS1998"] = ReportDiagnostic.Suppress,
    };

    private static readonly Lazy<ISourceGenerator[]> Generators = new(LoadGenerators);

    // What the package sets for the projects that refer to it: calls of the dispatcher are intercepted.
    private static readonly CSharpParseOptions Options = CSharpParseOptions.Default.WithFeatures([new("InterceptorsNamespaces", "Postrider.Generated")]);

    private readonly string _source;
    private readonly string _surroundings;

    private GuideProgram(string source, IReadOnlyList<string> expectedLines, string surroundings = "") => (_source, ExpectedLines, _surroundings) = (source, expectedLines, surroundings);

    /// <summary>What the comments of the page say that it prints.</summary>
    public IReadOnlyList<string> ExpectedLines { get; }

    /// <summary>The pieces of a page as one program; null where it has none.</summary>
    public static GuideProgram? FromPage(string page)
    {
        var pieces = Piece().Matches(page).Select(static piece => (Code: Parse(piece.Groups["code"].Value), Runs: piece.Groups["kind"].Length == 0)).ToList();
        if (pieces.Count == 0)
            return null;

        var source = Usings(pieces.Select(static piece => piece.Code));
        for (var i = 0; i < pieces.Count; i++)
        {
            var statements = string.Concat(pieces[i].Code.Members.OfType<GlobalStatementSyntax>().Select(static statement => statement.ToFullString()));
            source.Append(pieces[i].Runs ? statements : $"async Task Piece{i}()\n{{\n{statements}\n}}\n");
        }

        AddTypes(source, pieces.Select(static piece => piece.Code));
        var expected = pieces.Where(static piece => piece.Runs).SelectMany(static piece => Printed().Matches(piece.Code.ToFullString())).Select(static line => line.Groups["line"].Value);
        return new GuideProgram(source.ToString(), [.. expected]);
    }

    /// <summary>The pieces of a page that are no program, each on its own, to compile and not to run.</summary>
    /// <param name="page">The page; its pieces see each other's types and usings, and not each other's variables.</param>
    /// <param name="surroundings">A source file with the types that the page does not show, and a static class <c>Surroundings</c> with its variables and functions.</param>
    public static GuideProgram FromSnippets(string page, string surroundings)
    {
        var pieces = Piece().Matches(page).Select(static piece => Parse(piece.Groups["code"].Value)).ToList();
        var source = Usings(pieces);
        source.Append("await Task.CompletedTask;\n");
        for (var i = 0; i < pieces.Count; i++)
        {
            var statements = pieces[i].Members.OfType<GlobalStatementSyntax>().ToList();
            if (statements.Count > 0)
                source.Append($"async {(statements.Exists(Returns) ? "Task<object?>" : "Task")} Piece{i}()\n{{\n{string.Concat(statements.Select(static statement => statement.ToFullString()))}\n}}\n");
        }

        AddTypes(source, pieces);
        return new GuideProgram(source.ToString(), [], $"global using static Surroundings;\n{surroundings}");
    }

    /// <summary>Compiles it.</summary>
    /// <returns>The warnings and errors, and the program's image, which is empty where there are errors.</returns>
    public (IReadOnlyList<Diagnostic> Problems, MemoryStream Image) Compile()
    {
        var compilation = CSharpCompilation.Create(
            "Guide",
            [CSharpSyntaxTree.ParseText(ImplicitUsings, Options), CSharpSyntaxTree.ParseText(CapturingConsole, Options), CSharpSyntaxTree.ParseText(_surroundings, Options, path: "Surroundings.cs", encoding: Encoding.UTF8), CSharpSyntaxTree.ParseText(_source, Options, path: "Program.cs", encoding: Encoding.UTF8)],
            ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
                // The tests' own handlers are none of the program's.
                .Where(static file => Path.GetFileName(file) is not "Postrider.UnitTests.dll").Select(static file => MetadataReference.CreateFromFile(file)),
            new CSharpCompilationOptions(OutputKind.ConsoleApplication, nullableContextOptions: NullableContextOptions.Enable, specificDiagnosticOptions: Ignored));
        CSharpGeneratorDriver.Create(Generators.Value, parseOptions: Options).RunGeneratorsAndUpdateCompilation(compilation, out var generated, out var problems);
        var image = new MemoryStream();
        var emitted = generated.Emit(image);
        image.Position = 0;
        return ([.. emitted.Diagnostics.Concat(problems).Where(static found => found.Severity >= DiagnosticSeverity.Warning)], image);
    }

    /// <summary>Runs a compiled program to its end.</summary>
    /// <param name="image">What <see cref="Compile"/> returned.</param>
    /// <returns>The lines that it printed.</returns>
    public static async Task<IReadOnlyList<string>> RunAsync(Stream image)
    {
        var assembly = new AssemblyLoadContext("Guide", isCollectible: true).LoadFromStream(image);
        await Task.Run(() => assembly.EntryPoint!.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [Array.Empty<string>()], null)).WaitAsync(Eventually.Patience);
        return (List<string>)assembly.GetType("Console")!.GetField("Lines")!.GetValue(null)!;
    }

    private static StringBuilder Usings(IEnumerable<CompilationUnitSyntax> pieces)
    {
        var source = new StringBuilder();
        foreach (var line in pieces.SelectMany(static piece => piece.Usings).Select(static line => line.WithoutTrivia().ToFullString()).Distinct(StringComparer.Ordinal))
            source.Append(line).Append('\n');
        return source;
    }

    private static void AddTypes(StringBuilder source, IEnumerable<CompilationUnitSyntax> pieces)
    {
        foreach (var type in pieces.SelectMany(static piece => piece.Members).Where(static member => member is not GlobalStatementSyntax))
            source.Append(type.ToFullString()).Append('\n');
    }

    private static bool Returns(GlobalStatementSyntax piece)
        => piece.DescendantNodes(static node => node is not (AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax)).OfType<ReturnStatementSyntax>().Any(static found => found.Expression is not null);

    private static CompilationUnitSyntax Parse(string code) => CSharpSyntaxTree.ParseText(code).GetCompilationUnitRoot();

    // The SDK's own and the project's, which the build leaves beside the tests.
    private static ISourceGenerator[] LoadGenerators() =>
    [
        .. Directory.EnumerateFiles(Path.Join(AppContext.BaseDirectory, "generators"), "*.dll")
            .SelectMany(static file => Assembly.LoadFrom(file).GetTypes())
            .Where(static type => type.IsAssignableTo(typeof(IIncrementalGenerator)) && type.GetCustomAttribute<GeneratorAttribute>() is not null)
            .Select(static type => ((IIncrementalGenerator)Activator.CreateInstance(type)!).AsSourceGenerator()),
    ];

    [GeneratedRegex("^```csharp(?<kind> compile)?\n(?<code>.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Piece();

    [GeneratedRegex(@"Console\.WriteLine\(.*\); // (?<line>.*)$", RegexOptions.Multiline)]
    private static partial Regex Printed();
}
