using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.MessagePack;
using Postrider.MessagePack.Generator;
using Postrider.MessagePack.Generator.Diagnostics;

namespace Postrider.GeneratorTests.MessagePack;

public sealed class MessagePackGeneratorTests
{
    private const string Context = "[MessagePackSerializable(typeof(T))] public sealed partial class C : MessagePackContext;\n";

    private static readonly MetadataReference[] s_references =
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => !Path.GetFileName(p).Contains("Generator", StringComparison.Ordinal))
            .Select(p => MetadataReference.CreateFromFile(p))];

    public static TheoryData<string, string> Bad => new()
    {
        { "PMP001", Context + "public class T { public int A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public object A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public int[,] A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public System.Collections.ObjectModel.Collection<int> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public ArraySegment<int> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public Lazy<int> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public Type A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public Dictionary<string, object> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public List<object> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public System.Collections.ArrayList A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public System.Dynamic.ExpandoObject A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public int[,,] A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public System.Linq.ILookup<int, int> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public PriorityQueue<int, int> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public Memory<int> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public System.Buffers.ReadOnlySequence<byte> A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public System.Collections.BitArray A { get; set; } }" },
        { "PMP001", Context + "[MessagePackObject] public class T { [Key(0)] public System.Globalization.CultureInfo A { get; set; } }" },
        { "PMP001", Context + "[System.Runtime.Serialization.DataContract] public class T { [System.Runtime.Serialization.DataMember(Order = 0)] public int A { get; set; } }" },
        { "PMP002", Context + "[MessagePackObject] public class T { public int A { get; set; } }" },
        { "PMP003", Context + "[MessagePackObject] public class T { [Key(0)] public int A { get; set; } [Key(0)] public int B { get; set; } }" },
        { "PMP003", Context + "[MessagePackObject(true)] public class T { public int A { get; set; } [Key(\"A\")] public int B { get; set; } }" },
        { "PMP004", Context + "[MessagePackObject] public class T { [Key(0)] public int A { get; set; } [Key(\"b\")] public int B { get; set; } }" },
        { "PMP004", Context + "[MessagePackObject] public class T { [Key(-1)] public int A { get; set; } }" },
        { "PMP005", Context + "[MessagePackObject] public class T { public T(string other) { } [Key(0)] public int A { get; set; } }" },
        { "PMP006", Context + "[Union(0, typeof(U))] public interface T; [MessagePackObject] public class U { }" },
        { "PMP006", Context + "[Union(0, typeof(U)), Union(0, typeof(V))] public interface T; [MessagePackObject] public class U : T { } [MessagePackObject] public class V : T { }" },
        { "PMP007", "[MessagePackSerializable(typeof(int))] public sealed class C : MessagePackContext { public C() : base([]) { } }" },
        { "PMP007", "[MessagePackSerializable(typeof(int))] public sealed partial class C;" },
        { "PMP008", Context + "[MessagePackObject] public class T { [Key(0)] private int A { get; set; } }" },
        { "PMP009", Context + "[MessagePackObject] public class T { [Key(0), MessagePackFormatter(typeof(string))] public int A { get; set; } }" },
        { "PMP010", Context + "[MessagePackObject] public class T { [Key(0)] public List<int> A { get; } = []; }" },
        { "PMP010", Context + "[MessagePackObject] public class T { [Key(0)] public readonly int A = 1; }" },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public async Task Bad_source_is_reported(string id, string source)
    {
        var found = await Compile(source).WithAnalyzers([new MessagePackAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);

        var reported = Assert.Single(found.DistinctBy(d => d.Id));
        Assert.Equal(id, reported.Id);
        Assert.NotEqual(Location.None, reported.Location);
    }

    [Theory]
    [InlineData("[MessagePackObject] public class T { [Key(0)] public int A { get; set; } [IgnoreMember] public object B { get; set; } }")]
    [InlineData("[MessagePackObject(true)] public record struct T(int @class, string? B) { public required int D { get; init; } }")]
    [InlineData("[MessagePackObject(true)] public class T { public Dictionary<string, List<(int A, T? B)>>? Deep { get; private set; } }")]
    [InlineData("namespace N { [MessagePackObject] public class O { [Key(0)] public global::O? Other { get; set; } } } [MessagePackObject] public class O { } [MessagePackObject] public class T { [Key(3)] public N.O? A { get; set; } }")]
    [InlineData("[Union(0, typeof(U<int>))] public abstract class T; [MessagePackObject] public class U<V> : T { [Key(0)] public V? A { get; init; } }")]
    public async Task Good_source_compiles_with_what_is_generated(string source)
    {
        var compilation = Compile(Context + source);

        Driver().RunGeneratorsAndUpdateCompilation(compilation, out var output, out _, TestContext.Current.CancellationToken);

        Assert.Empty(await compilation.WithAnalyzers([new MessagePackAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken));
        Assert.Empty(output.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity == DiagnosticSeverity.Error));
    }

    [Theory]
    [InlineData("#pragma warning disable\n", false)]
    [InlineData("// <auto-generated/>\n", false)]
    [InlineData("", true)]
    public async Task Type_that_cannot_be_written_is_an_error_that_nothing_suppresses(string prefix, bool hasNoWarn)
    {
        var compilation = Compile(prefix + Context + "[MessagePackObject] public class T { [Key(0)] public int[,] A { get; set; } [Key(1)] public int B { get; set; } }");
        if (hasNoWarn)
            compilation = compilation.WithOptions(compilation.Options.WithSpecificDiagnosticOptions([new("PMP001", ReportDiagnostic.Suppress)]));

        var found = await compilation.WithAnalyzers([new MessagePackAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);

        Assert.Equal(("PMP001", false), (Assert.Single(found).Id, found[0].IsSuppressed));
    }

    [Fact]
    public void Context_with_an_error_throws_where_the_build_ran_without_analyzers()
    {
        Driver().RunGeneratorsAndUpdateCompilation(Compile(Context + "[MessagePackObject] public class T { [Key(0)] public int[,] A { get; set; } [Key(1)] public int B { get; set; } }"), out var output, out _, TestContext.Current.CancellationToken);
        using var bytes = new MemoryStream();
        Assert.True(output.Emit(bytes, cancellationToken: TestContext.Current.CancellationToken).Success);
        var context = Assembly.Load(bytes.ToArray()).GetType("C", throwOnError: true)!;

        var failure = Assert.Throws<TargetInvocationException>(() => Activator.CreateInstance(context)).InnerException;

        Assert.StartsWith("C cannot be used: PMP001: ", Assert.IsType<NotSupportedException>(failure).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Unrelated_edit_writes_nothing_again()
    {
        var compilation = Compile(Context + "[MessagePackObject] public class T { [Key(0)] public int A { get; set; } }");
        var driver = Driver().RunGenerators(compilation.AddSyntaxTrees(Parse("class Other { int x = 1; }")), TestContext.Current.CancellationToken);

        driver = driver.RunGenerators(compilation.AddSyntaxTrees(Parse("class Other { int x = 12; void M() { } }")), TestContext.Current.CancellationToken);

        var result = Assert.Single(driver.GetRunResult().Results);
        Assert.All(
            result.TrackedOutputSteps.SelectMany(s => s.Value).Concat(result.TrackedSteps["Contexts"]).SelectMany(s => s.Outputs),
            output => Assert.True(output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, output.Reason.ToString()));
    }

    [Fact]
    public void Every_name_that_the_generator_knows_exists()
    {
        var known = typeof(PostriderMessagePackGenerator).Assembly.GetType("Postrider.MessagePack.Generator.Parsing.KnownNames")!
            .GetFields(BindingFlags.Static | BindingFlags.NonPublic).Where(f => f.IsLiteral).Select(f => (string)f.GetRawConstantValue()!).ToList();

        Assert.NotEmpty(known);
        Assert.All(known, name => Assert.NotNull(typeof(MessagePackContext).Assembly.GetType(name.Replace("<T>", "`1", StringComparison.Ordinal))));
    }

    [Fact]
    public void Every_diagnostic_has_a_page()
    {
        Assert.All(new MessagePackAnalyzer().SupportedDiagnostics, rule => Assert.Contains(
            rule.Title.ToString(), File.ReadAllText(Checkout.PathOf("docs", "diagnostics", rule.Id + ".md")), StringComparison.Ordinal));
    }

    private static CSharpCompilation Compile(string source)
        => CSharpCompilation.Create(
            "User", [Parse("global using System; global using System.Collections.Generic; global using Postrider.MessagePack;"), Parse(source)], s_references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));

    private static SyntaxTree Parse(string source) => CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.Preview));

    private static CSharpGeneratorDriver Driver() => CSharpGeneratorDriver.Create(
        [new PostriderMessagePackGenerator().AsSourceGenerator()], parseOptions: new CSharpParseOptions(LanguageVersion.Preview),
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));
}
