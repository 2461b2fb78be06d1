using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Xml;
using Postrider.Xml.Generator;
using Postrider.Xml.Generator.Diagnostics;

namespace Postrider.GeneratorTests.Xml;

public sealed class XmlGeneratorTests
{
    private const string Context = "[XmlSerializable(typeof(T))] public sealed partial class C : XmlContext;\n";

    private static readonly MetadataReference[] s_references =
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => !Path.GetFileName(p).Contains("Generator", StringComparison.Ordinal))
            .Select(p => MetadataReference.CreateFromFile(p))];

    public static TheoryData<string, string> Bad => new()
    {
        { "PXM001", Context + "public class T { public object A { get; set; } }" },
        { "PXM001", Context + "public class T { public int[,] A { get; set; } }" },
        { "PXM001", Context + "public class T { public (int, int) A { get; set; } }" },
        { "PXM001", Context + "public class T { public Action A { get; set; } }" },
        { "PXM001", Context + "public class T { public System.IO.Stream A { get; set; } }" },
        { "PXM001", Context + "public class T { public System.Xml.XmlElement A { get; set; } }" },
        { "PXM001", Context + "public class T { public System.Xml.Linq.XElement A { get; set; } }" },
        { "PXM001", Context + "public class T { public System.Xml.XmlQualifiedName A { get; set; } }" },
        { "PXM001", Context + "public class T { public Tuple<int, int> A { get; set; } }" },
        { "PXM001", Context + "public class T { public System.Collections.ArrayList A { get; set; } }" },
        { "PXM001", Context + "public class T { public System.Collections.Hashtable A { get; set; } }" },
        { "PXM001", Context + "public class T { public Version A { get; set; } }" },
        { "PXM001", Context + "public class T { public System.Data.DataSet A { get; set; } }" },
        { "PXM001", Context + "public class T { public U A { get; set; } } [CollectionDataContract] public class U : Dictionary<string, int>;" },
        { "PXM001", Context + "public interface T { int A { get; set; } }" },
        { "PXM001", "[XmlSerializable(typeof(List<>))] public sealed partial class C : XmlContext;" },
        { "PXM001", "[XmlSerializable(typeof(T))] public sealed partial class C : XmlContext; [Postrider.Rpc.Service] public interface T { System.Threading.Tasks.Task A(object b); }" },
        { "PXM002", "[XmlSerializable(typeof(int))] public sealed class C : XmlContext { public C() : base([], []) { } }" },
        { "PXM002", "[XmlSerializable(typeof(int))] public sealed partial class C;" },
        { "PXM002", "public class O { [XmlSerializable(typeof(int))] public sealed partial class C : XmlContext { public C() : base([], []) { } } }" },
        { "PXM003", Context + "[DataContract] public class T { [DataMember] public int A { set { } } }" },
        { "PXM003", Context + "[DataContract] public class T { [DataMember] public P A { get; set; } private class P { } }" },
        { "PXM004", Context + "public class T { public T(string other) { } public int A { get; set; } }" },
        { "PXM005", Context + "[DataContract] public class T { [DataMember] public int A { get; set; } [DataMember(Name = \"A\")] public int B { get; set; } }" },
        { "PXM007", Context + "[DataContract] public class T { [DataMember] public List<int> A { get; } = []; }" },
        { "PXM007", Context + "[DataContract, KnownType(typeof(U))] public class T { [DataMember] public int A => 1; } [DataContract] public class U : T;" },
        { "PXM007", Context + "public class T { public V<int>? A { get; set; } } [DataContract] public class V<W> { [DataMember] public W? B { get; private set; } }" },
        { "PXM001", Context + "public class T : List<T>;" },
        { "PXM006", Context + "[DataContract(IsReference = true)] public class T { [DataMember] public T? A { get; set; } }" },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public async Task Bad_source_is_reported(string id, string source)
    {
        var found = await Compile(source).WithAnalyzers([new XmlAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);

        var reported = Assert.Single(found.DistinctBy(d => d.Id));
        Assert.Equal(id, reported.Id);
        Assert.NotEqual(Location.None, reported.Location);
    }

    [Theory]
    [InlineData("public class T { public int A { get; set; } [IgnoreDataMember] public object B { get; set; } private object C; public object D => null; }")]
    [InlineData("[DataContract] public class T { public T(int a) => A = a; [DataMember] public int A { get; } [DataMember] private readonly List<int> _b = []; }")]
    [InlineData("[DataContract] public abstract class T { [DataMember] public abstract int A { get; } }")]
    [InlineData("public record struct T(int @class, string? B) { public required int D { get; init; } }")]
    [InlineData("[DataContract] public class T { [DataMember] private int _a; [DataMember] internal T? B { get; private set; } [DataMember] protected string? C { get; init; } public T(int a) { } }")]
    [InlineData("namespace N { public class O { public global::O? Other { get; set; } } } public class O { } public class T { public N.O? A { get; set; } }")]
    [InlineData("[DataContract, KnownType(typeof(U<int>))] public abstract class T; [DataContract] public class U<V> : T { [DataMember] public V? A { get; init; } }")]
    [InlineData("[Postrider.Rpc.Service, Postrider.Rpc.Fault(typeof(F))] public interface T { System.Threading.Tasks.ValueTask<List<F>> A(F[] b, System.Threading.CancellationToken ct); IAsyncEnumerable<Dictionary<int, F>> D(); } public class F { public F? G { get; set; } }")]
    public async Task Good_source_compiles_with_what_is_generated(string source)
    {
        var compilation = Compile(Context + source);

        Driver().RunGeneratorsAndUpdateCompilation(compilation, out var output, out _, TestContext.Current.CancellationToken);

        Assert.Empty(await compilation.WithAnalyzers([new XmlAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken));
        Assert.Empty(output.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity == DiagnosticSeverity.Error));
    }

    [Theory]
    [InlineData("#pragma warning disable\n", false)]
    [InlineData("// <auto-generated/>\n", false)]
    [InlineData("", true)]
    public async Task Type_that_cannot_be_written_is_an_error_that_nothing_suppresses(string prefix, bool hasNoWarn)
    {
        var compilation = Compile(prefix + Context + "public class T { public object A { get; set; } public int B { get; set; } }");
        if (hasNoWarn)
            compilation = compilation.WithOptions(compilation.Options.WithSpecificDiagnosticOptions([new("PXM001", ReportDiagnostic.Suppress)]));

        var found = await compilation.WithAnalyzers([new XmlAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);

        Assert.Equal(("PXM001", false), (Assert.Single(found).Id, found[0].IsSuppressed));
    }

    [Fact]
    public void Context_with_an_error_throws_where_the_build_ran_without_analyzers()
    {
        Driver().RunGeneratorsAndUpdateCompilation(Compile(Context + "public class T { public object A { get; set; } public int B { get; set; } }"), out var output, out _, TestContext.Current.CancellationToken);
        using var bytes = new MemoryStream();
        Assert.True(output.Emit(bytes, cancellationToken: TestContext.Current.CancellationToken).Success);
        var context = Assembly.Load(bytes.ToArray()).GetType("C", throwOnError: true)!;

        var failure = Assert.Throws<TargetInvocationException>(() => Activator.CreateInstance(context)).InnerException;

        Assert.StartsWith("C cannot be used: PXM001: ", Assert.IsType<NotSupportedException>(failure).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Unrelated_edit_writes_nothing_again()
    {
        var compilation = Compile(Context + "public class T { public int A { get; set; } }");
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
        var known = typeof(PostriderXmlGenerator).Assembly.GetType("Postrider.Xml.Generator.Parsing.KnownNames")!
            .GetFields(BindingFlags.Static | BindingFlags.NonPublic).Where(f => f.IsLiteral).Select(f => (string)f.GetRawConstantValue()!).ToList();

        Assert.NotEmpty(known);
        Assert.All(known, name => Assert.NotNull(typeof(XmlContext).Assembly.GetType(name) ?? typeof(System.Runtime.Serialization.DataContractAttribute).Assembly.GetType(name)));
    }

    [Fact]
    public void Every_diagnostic_has_a_page()
    {
        Assert.All(new XmlAnalyzer().SupportedDiagnostics, rule => Assert.Contains(
            rule.Title.ToString(), File.ReadAllText(Checkout.PathOf("docs", "diagnostics", rule.Id + ".md")), StringComparison.Ordinal));
    }

    private static CSharpCompilation Compile(string source)
        => CSharpCompilation.Create(
            "User", [Parse("global using System; global using System.Collections.Generic; global using System.Runtime.Serialization; global using Postrider.Xml;"), Parse(source)], s_references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));

    private static SyntaxTree Parse(string source) => CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.Preview));

    private static CSharpGeneratorDriver Driver() => CSharpGeneratorDriver.Create(
        [new PostriderXmlGenerator().AsSourceGenerator()], parseOptions: new CSharpParseOptions(LanguageVersion.Preview),
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));
}
