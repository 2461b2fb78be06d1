using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>What the generator itself takes in a project of 1,000 handlers, each with its message and a call in a file of their
/// own: the driver alone, over a compilation whose declarations the compiler has read already.</summary>
internal static class Generation
{
    private const int Handlers = 1000;
    private const double MostMilliseconds = 300;

    // The first runs are compiled at the lowest tier; an editor and a build server keep the compiler warm.
    private const int WarmUp = 8;
    private const int Measured = 15;

    private static readonly CSharpParseOptions s_options
        = new CSharpParseOptions(LanguageVersion.Latest).WithFeatures([new("InterceptorsNamespaces", "Postrider.Generated")]);

    /// <summary>Whether the arguments ask for these rows.</summary>
    internal static bool IsWanted(string[] args)
        => "generate".Contains(BenchArguments.Option(args, "--row") ?? "generate", StringComparison.Ordinal)
        && BenchArguments.Matches(args, "--subject", BenchLine.Ours);

    /// <summary>Measures in a process of its own, and reports.</summary>
    /// <param name="report">Where to.</param>
    internal static void Run(BenchReport report)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!, ["dispatch", "--generate-cell"]) { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
            throw new InvalidOperationException($"The generator's rows ended with {process.ExitCode.ToString(CultureInfo.InvariantCulture)}.");

        foreach (var cell in JsonSerializer.Deserialize<List<Cell>>(output.TrimEnd().Split('\n')[^1])!)
            report.Add(cell.Line());
    }

    /// <summary>Measures in this process.</summary>
    /// <returns>The rows.</returns>
    internal static List<Cell> Measure()
    {
        var generator = Generator();
        var trees = Enumerable.Range(0, Handlers).Select(n => Tree(string.Create(CultureInfo.InvariantCulture, $"File{n}.cs"), Text(n))).ToList();
        var other = Tree("Other.cs", "public class Other { int x = 1; }");
        var compilation = CSharpCompilation.Create(
            "Types",
            [Tree("Usings.cs", Usings), .. trees, other],
            References(),
            new CSharpCompilationOptions(OutputKind.ConsoleApplication, nullableContextOptions: NullableContextOptions.Enable));
        Prove(Driver(generator).RunGenerators(compilation));

        var driver = Driver(generator).RunGenerators(compilation);
        return
        [
            Time("1,000 handlers: generated from nothing", MostMilliseconds, _ => compilation.Clone(), edited => Driver(generator).RunGenerators(edited)),
            Time(
                "1,000 handlers: a keystroke elsewhere", null,
                i => compilation.ReplaceSyntaxTree(other, Tree("Other.cs", string.Create(CultureInfo.InvariantCulture, $"public class Other {{ int x = {i}; }}"))),
                edited => driver.RunGenerators(edited)),
            Time(
                "1,000 handlers: a keystroke in a handler and its caller", null,
                i => compilation.ReplaceSyntaxTree(trees[0], Tree("File0.cs", string.Create(CultureInfo.InvariantCulture, $"// {i}\n") + Text(0))),
                edited => driver.RunGenerators(edited)),
        ];
    }

    private static Cell Time(string row, double? most, Func<int, CSharpCompilation> edit, Func<CSharpCompilation, GeneratorDriver> run)
    {
        var times = new List<double>();
        for (var i = 0; i < WarmUp + Measured; i++)
        {
            var compilation = edit(i);
            _ = compilation.GetDeclarationDiagnostics(); // the compiler's own work
            GC.Collect();
            var started = Stopwatch.GetTimestamp();
            var driver = run(compilation);
            var took = Stopwatch.GetElapsedTime(started).TotalMilliseconds;
            GC.KeepAlive(driver);
            if (i >= WarmUp)
                times.Add(took);
        }

        times.Sort();
        var median = times[times.Count / 2];
        return new(row, median, times[0], (times[^1] - times[0]) / median, most);
    }

    // Every handler is wired and every call intercepted, or the time would be one of nothing.
    private static void Prove(GeneratorDriver driver)
    {
        var sources = driver.GetRunResult().Results.Single().GeneratedSources;
        var calls = sources.Single(s => s.HintName == "Postrider.Interceptors.g.cs").SourceText.ToString().Split("InterceptsLocation(").Length - 1;
        if (calls < Handlers || sources.All(s => !s.SourceText.ToString().Contains($"H{Handlers - 1}", StringComparison.Ordinal)))
            throw new InvalidOperationException($"{calls.ToString(CultureInfo.InvariantCulture)} of {Handlers.ToString(CultureInfo.InvariantCulture)} calls were intercepted.");
    }

    private static GeneratorDriver Driver(IIncrementalGenerator generator)
        => CSharpGeneratorDriver.Create([generator.AsSourceGenerator()], parseOptions: s_options);

    // As the compiler has it: not a reference of this program.
    private static IIncrementalGenerator Generator()
    {
        var assembly = Assembly.LoadFrom(Path.Combine(ColdBuild.Root(), "src/Postrider.Generator/bin/Release/netstandard2.0/Postrider.Generator.dll"));
        return (IIncrementalGenerator)Activator.CreateInstance(assembly.GetType("Postrider.Generator.PostriderGenerator", throwOnError: true)!)!;
    }

    private static IEnumerable<MetadataReference> References()
        => ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => Path.GetFileName(path) is var name
                && (name is "Postrider.dll" or "Postrider.Flow.dll" || name.StartsWith("System.", StringComparison.Ordinal)
                    || name.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal)))
            .Select(path => MetadataReference.CreateFromFile(path));

    private static SyntaxTree Tree(string path, string text) => CSharpSyntaxTree.ParseText(text, s_options, path);

    private static string Text(int n) => string.Create(CultureInfo.InvariantCulture, $$"""
        namespace Types;
        public sealed partial record M{{n}}(int N) : IQuery<int>;
        internal sealed class H{{n}} : IRequestHandler<M{{n}}, int> { public ValueTask<int> Handle(M{{n}} m, CancellationToken ct) => new({{n}}); }
        public static class C{{n}} { public static ValueTask<int> Call(IDispatcher d) => d.SendAsync(new M{{n}}(1)); }
        """);

    private const string Usings = """
        global using System;
        global using System.Threading;
        global using System.Threading.Tasks;
        global using Postrider;
        public static class Program { public static void Main() { } }
        [Middleware] internal sealed class M<Q, R> : IMiddleware<Q, R> where Q : IRequest<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }
        """;

    /// <summary>One row, as the measuring process prints it; milliseconds.</summary>
    internal sealed record Cell(string Row, double Median, double Least, double Spread, double? Most)
    {
        internal BenchLine Line() => new("generate", Row, BenchLine.Ours, Median, Least, Spread, "ms", null)
        {
            Target = Most,
            TargetText = Most is { } most ? string.Create(CultureInfo.InvariantCulture, $"<= {most:0} ms") : "",
        };
    }
}
