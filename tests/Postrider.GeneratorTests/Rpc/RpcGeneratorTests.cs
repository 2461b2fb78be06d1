using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Postrider.Rpc;
using Postrider.Rpc.Generator;
using Postrider.Rpc.Generator.Diagnostics;

namespace Postrider.GeneratorTests.Rpc;

public sealed class RpcGeneratorTests
{
    private static readonly MetadataReference[] s_references =
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => !Path.GetFileName(p).Contains("Generator", StringComparison.Ordinal))
            .Select(p => MetadataReference.CreateFromFile(p))];

    public static TheoryData<string, string> Bad => new()
    {
        { "PRR001", "[Service] public interface IA<T> { ValueTask B(); }" },
        { "PRR001", "public class O { [Service] public interface IA { ValueTask B(); } }" },
        { "PRR001", "[Service] file interface IA { ValueTask B(); }" },
        { "PRR001", "[Service] public interface IAb { ValueTask B(); } public interface Ab : IService { ValueTask C(); }" },
        { "PRR001", "[Service] public interface IA : IDisposable { ValueTask B(); }" },
        { "PRR001", "[Service] public interface IA { int B { get; } }" },
        { "PRR001", "[Service] public interface IA { event Action B; }" },
        { "PRR001", "[Service] public interface IA { ValueTask B<T>(); }" },
        { "PRR001", "[Service(\"a b\")] public interface IA { ValueTask B(); }" },
        { "PRR001", "[Service(Version = \"1\")] public interface IA { ValueTask B(); }" },
        { "PRR001", "[Service] public interface IA { [Operation(\"a/b\")] ValueTask B(); }" },
        { "PRR001", "[System.ServiceModel.ServiceContract] public interface IA { void B(); }" },
        { "PRR002", "[System.ServiceModel.ServiceContract] public interface IA { [System.ServiceModel.OperationContract] object B(); }" },
        { "PRR003", "[System.ServiceModel.ServiceContract] public interface IA { [System.ServiceModel.OperationContract] void B(in int c); }" },
        { "PRR003", "[System.ServiceModel.ServiceContract] public interface IA { [System.ServiceModel.OperationContract] Task B(out int c); }" },
        { "PRR003", "[System.ServiceModel.ServiceContract] public interface IA { [System.ServiceModel.OperationContract(IsOneWay = true)] void B(ref int c); }" },
        { "PRR003", "[System.ServiceModel.ServiceContract] public interface IA { [System.ServiceModel.OperationContract] void B(out object c); }" },
        { "PRR001", "[System.ServiceModel.ServiceContract] public interface IA : IB { [System.ServiceModel.OperationContract] void B(); } public interface IB { void C(); }" },
        { "PRR001", "[Service] public interface IA { [Bare] ValueTask B(int c, int d); }" },
        { "PRR005", "[System.ServiceModel.ServiceContract] public interface IA { [System.ServiceModel.OperationContract(IsOneWay = true)] int B(); }" },
        { "PRR002", "[Service] public interface IA { int B(); }" },
        { "PRR002", "[Service] public interface IA { void B(); }" },
        { "PRR002", "[Service] public interface IA { ValueTask<object> B(); }" },
        { "PRR002", "[Service] public interface IA { Task<Task> B(); }" },
        { "PRR002", "[Service] public interface IA { IEnumerable<int> B(); }" },
        { "PRR003", "[Service] public interface IA { ValueTask B(ref int c); }" },
        { "PRR003", "[Service] public interface IA { ValueTask B(object c); }" },
        { "PRR003", "[Service] public interface IA { ValueTask B(Action c); }" },
        { "PRR003", "[Service] public interface IA { ValueTask B(Span<int> c); }" },
        { "PRR003", "[Service] public interface IA { ValueTask B(Func<int> c); }" },
        { "PRR003", "[Service] public interface IA { ValueTask B(IAsyncEnumerable<int> c, IAsyncEnumerable<int> d); }" },
        { "PRR003", "[Service] public interface IA { ValueTask B(CancellationToken c, CancellationToken d); }" },
        { "PRR004", "[Service] public interface IA { ValueTask B(int c); ValueTask BAsync(string c); }" },
        { "PRR005", "[Service] public interface IA { [OneWay] ValueTask<int> B(); }" },
        { "PRR005", "[Service] public interface IA { [OneWay] Task B(IAsyncEnumerable<int> c); }" },
        { "PRR006", "[Service] public interface IA { [Fault(typeof(List<int>))] Task B(); }" },
        { "PRR006", "namespace N { public class F; } public class F; [Service] public interface IA { [Fault(typeof(F)), Fault(typeof(N.F))] Task B(); }" },
        { "PRR001", "public interface IA : IService, IDisposable { ValueTask B(); }" },
        { "PRR002", "public interface IA : IService { int B(); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{c}\")] ValueTask B(int d); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{c}/{c}\")] ValueTask B(int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{c\")] ValueTask B(int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{}\")] ValueTask B(int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{c}{d}\")] ValueTask B(int c, int d); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{c:int}\")] ValueTask B(int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{c=1}\")] ValueTask B(int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{c?}\")] ValueTask B(int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a?c={c}\")] ValueTask B(int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a//b\")] ValueTask B(); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a b\")] ValueTask B(); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{*c}/d\")] ValueTask B(string c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/x{*c}\")] ValueTask B(string c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a\"), HttpPost(\"a\")] ValueTask B(); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a\")] ValueTask B(Dictionary<string, int> c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a\")] ValueTask B([FromBody] int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a\")] ValueTask B(byte[] c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a\")] ValueTask B(IAsyncEnumerable<int> c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a/{c}\")] ValueTask B(int[] c); }" },
        { "PRR007", "[Service] public interface IA { [HttpPost(\"a\")] ValueTask B([FromQuery] Dictionary<string, int> c); }" },
        { "PRR007", "[Service] public interface IA { [HttpPost(\"a\")] ValueTask B([FromRoute] int c); }" },
        { "PRR007", "[Service] public interface IA { [HttpGet(\"a\")] ValueTask B([FromQuery(\"x\")] int c, [FromQuery(\"X\")] int d); }" },
        { "PRR007", "[Service] public interface IA { ValueTask B([FromQuery] int c); }" },
        { "PRR007", "[Service, Route(\"{t}\")] public interface IA { [HttpGet(\"a\")] ValueTask B(); }" },
        { "PRR007", "[System.ServiceModel.ServiceContract] public interface IA { [System.ServiceModel.OperationContract, System.ServiceModel.Web.WebGet(UriTemplate = \"a?b\")] int B(int b); }" },
        { "PRR007", "[System.ServiceModel.ServiceContract] public interface IA { [System.ServiceModel.OperationContract, System.ServiceModel.Web.WebGet(UriTemplate = \"a?b={c}\")] int B(int b); }" },
        { "PRR008", "[Service] public interface IA { [HttpGet(\"a/{b}\")] ValueTask B(int b); [HttpGet(\"A/{c}\")] ValueTask C(string c); }" },
        { "PRR008", "[Service] public interface IA { [HttpPost(\"a/b\")] ValueTask C(int b); ValueTask B(string c); }" },
        { "PRR008", "[Service, Route(\"a\")] public interface IA { [HttpGet(\"b\")] ValueTask B(); [HttpGet(\"/a/b\")] ValueTask C(); }" },
        { "PRR009", "using System.ServiceModel; public interface IB; [ServiceContract(CallbackContract = typeof(IB))] public interface IA { [OperationContract] void B(); }" },
        { "PRR009", "using System.ServiceModel; [ServiceContract(SessionMode = SessionMode.Required)] public interface IA { [OperationContract] void B(); }" },
        { "PRR009", "using System.ServiceModel; [ServiceContract] public interface IA { [OperationContract(IsInitiating = false)] void B(); }" },
        { "PRR009", "using System.ServiceModel; [ServiceContract] public interface IA { [OperationContract(IsTerminating = true)] void B(); }" },
        { "PRR009", "using System.ServiceModel; [ServiceContract] public interface IA { [OperationContract(AsyncPattern = true)] IAsyncResult BeginB(int c, AsyncCallback d, object e); int EndB(IAsyncResult f); }" },
        { "PRR009", "using System.ServiceModel; [ServiceContract, XmlSerializerFormat] public interface IA { [OperationContract] void B(); }" },
        { "PRR009", "using System.ServiceModel; [ServiceContract] public interface IA { [OperationContract, XmlSerializerFormat(Style = OperationFormatStyle.Rpc, Use = OperationFormatUse.Encoded)] void B(); }" },
        { "PRR009", "using System.ServiceModel; [ServiceContract, DataContractFormat(Style = OperationFormatStyle.Rpc)] public interface IA { [OperationContract] void B(); }" },
        { "PRR009", "using System.ServiceModel; [ServiceContract] public interface IA : IB { } [ServiceContract, XmlSerializerFormat] public interface IB { }" },
        { "PRR009", "using System.ServiceModel; public class F; [ServiceContract] public interface IA { [OperationContract, FaultContract(typeof(F), Name = \"G\")] void B(); }" },
        { "PRR009", "using System.ServiceModel; [MessageContract] public class F { [MessageHeader] public int G; [MessageBodyMember] public int H; } [ServiceContract] public interface IA { [OperationContract] void B(F c); }" },
        { "PRR009", "using System.ServiceModel; [MessageContract(IsWrapped = false)] public class F; [ServiceContract] public interface IA { [OperationContract] Task<F> BAsync(); }" },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public async Task Bad_contract_is_reported(string id, string source)
    {
        var found = await Compile(source).WithAnalyzers([new RpcAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);

        var reported = Assert.Single(found.DistinctBy(d => d.Id));
        Assert.Equal(id, reported.Id);
        Assert.NotEqual(Location.None, reported.Location);
    }

    [Theory]
    [InlineData("", 1)]
    [InlineData("InstanceContextMode = InstanceContextMode.PerCall, ConcurrencyMode = ConcurrencyMode.Multiple", 1)]
    [InlineData("InstanceContextMode = InstanceContextMode.Single", 1)]
    [InlineData("InstanceContextMode = InstanceContextMode.Single, ConcurrencyMode = ConcurrencyMode.Multiple, IncludeExceptionDetailInFaults = true", 1)]
    [InlineData("InstanceContextMode = InstanceContextMode.Single, ConcurrencyMode = ConcurrencyMode.Multiple", 0)]
    public async Task Behavior_that_the_service_does_not_have_is_warned_of(string behavior, int warnings)
    {
        var source = $"using System.ServiceModel; [ServiceBehavior({behavior})] public class A;";

        var found = await Compile(source).WithAnalyzers([new RpcAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);

        Assert.Equal(Enumerable.Repeat(("PRR010", DiagnosticSeverity.Warning), warnings), found.Select(d => (d.Id, d.Severity)));
    }

    [Theory]
    [MemberData(nameof(Bad))]
    public void Nothing_is_written_for_a_bad_contract(string id, string source)
    {
        Assert.NotEmpty(id);

        var result = Driver().RunGenerators(Compile(source), TestContext.Current.CancellationToken).GetRunResult();

        Assert.Empty(result.GeneratedTrees);
    }

    [Theory]
    [InlineData("[Service] public interface IA { ValueTask B(); Task C(int d, string? e = null, long f = 3, string g = \"x\"); }")]
    [InlineData("[Service] interface IA { IAsyncEnumerable<int> B(CancellationToken ct = default); Task<int> C(string a, IAsyncEnumerable<string> b, CallContext? context = null); }")]
    [InlineData("namespace N.M; public enum E { A, B } public record F(int G); [Service(\"s\", Version = \"2.0.1\"), Fault(typeof(F))] public interface IA { [Operation(\"x-1\")] ValueTask<E?> @class(E @event = E.B, CancellationToken ct = default); }")]
    [InlineData("[Service] public interface Plain { [OneWay] Task NoteAsync((int A, string B) pair, Dictionary<string, List<int[]>> map); ValueTask<(int, string)> Async(); }")]
    [InlineData("[Service] public interface I { ValueTask B(Guid request, int items, int context, int ct, int service, int channel); }")]
    [InlineData("using System.ServiceModel; public class F; [ServiceContract(Name = \"X\", Namespace = \"urn:x\")] public interface IA { [OperationContract(Action = \"urn:b\", ReplyAction = \"urn:c\")] int Add(int a, int b); [OperationContract(IsOneWay = true)] void Note(string text); [OperationContract, FaultContract(typeof(F))] Task<F> GetAsync(F f); [OperationContract(Name = \"Y\")] void Z(CancellationToken ct); }")]
    [InlineData("public enum E { F = -1 } [Service] public interface IA { ValueTask B(E c = E.F, E? d = E.F, int e = -1, long? f = -2, bool? g = true, char h = '\\''); }")]
    [InlineData("public interface IA : IService { ValueTask<int> BAsync(int c); }")]
    [InlineData("[Service] public interface IA : IService { ValueTask<int> BAsync(int c); }")]
    [InlineData("[Service] public interface IA { [HttpGet(\"a/{b}\")] ValueTask B(int b); [HttpPost(\"a/{b}\")] ValueTask C(string b); [HttpDelete] ValueTask D(); [HttpGet(\"a/{b}/c\")] ValueTask E(int b); ValueTask F(int b); }")]
    [InlineData("public enum E { F } [Service, Route(\"x/{t}\")] public interface IA { [HttpGet(\"{g}-{h}/{*rest}\")] IAsyncEnumerable<int> B(string t, E g, Guid? h, string rest, DateOnly i, TimeOnly j, TimeSpan k, DateTime l, DateTimeOffset? m, Uri n, sbyte o, ulong p, float q, decimal? r, System.Net.IPAddress v, E? w = E.F, List<long> x = null, E[] y = null, IEnumerable<string> z = null, CallContext context = null, CancellationToken ct = default); }")]
    [InlineData("[Service] public interface IA { [HttpPut(\"a/{id}\")] Task<int> B([FromRoute(\"id\")] int number, [FromHeader(\"X-A\")] string a, int c, string d, [FromQuery(\"e\")] int f = 3, char g = 'x'); [HttpPost(\"b/{id}\")] Task C(string id, Dictionary<string, int> request, IAsyncEnumerable<int> target, [FromQuery] int body = 1); [OneWay, HttpPatch(\"c\")] Task D([FromBody] int inputs, [FromQuery] bool codec); }")]
    [InlineData("using System.ServiceModel; using System.ServiceModel.Web; [ServiceContract] public interface IA { [OperationContract, WebGet(UriTemplate = \"/a/{b}?most={limit}&x={y}\", ResponseFormat = WebMessageFormat.Json)] string A(string b, int limit, string y); [OperationContract, WebInvoke(Method = \"PUT\", UriTemplate = \"a/{b}\", BodyStyle = WebMessageBodyStyle.Bare)] void C(string b, Dictionary<string, int> body); [OperationContract, WebGet] int D(int e, string f); [OperationContract, WebInvoke] int G(int[] h); }")]
    [InlineData("using Microsoft.AspNetCore.Authorization; [Service] public interface IA { [AllowAnonymous] ValueTask B(); [Authorize(\"p\", Roles = \"a,b\")] ValueTask C(); [Microsoft.AspNetCore.RateLimiting.EnableRateLimiting(\"few\")] ValueTask D(); }")]
    [InlineData("using System.ServiceModel; public class F; [ServiceContract] public interface IA { [OperationContract] void B(out int c); [OperationContract] int D(ref int request, out F ct, string service); [OperationContract] void E(ref F @event); }")]
    [InlineData("using System.ServiceModel; [ServiceContract] public interface IA : IDisposable { [OperationContract] [return: MessageParameter(Name = \"x\")] int B([MessageParameter(Name = \"y\")] int c); }")]
    [InlineData("[Service] public interface IA { [Bare] ValueTask<int> B(string c, CancellationToken ct); [Bare] ValueTask D(); }")]
    [InlineData("[Service] public interface IA { ValueTask<int> B(int _call0, string _call1); IAsyncEnumerable<int> C(int _call1); }")]
    [InlineData("[Service] public interface IAb { ValueTask B(); } public class Ab; public interface IIAb; public interface IAB;")]
    public async Task Good_contract_compiles_with_what_is_generated(string source)
    {
        var compilation = Compile(source);

        Driver().RunGeneratorsAndUpdateCompilation(compilation, out var output, out _, TestContext.Current.CancellationToken);

        Assert.Empty(await compilation.WithAnalyzers([new RpcAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken));
        Assert.Equal(compilation.SyntaxTrees.Length + 1, output.SyntaxTrees.Count());
        Assert.Empty(output.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity == DiagnosticSeverity.Error));
    }

    [Fact]
    public void Client_takes_null_where_the_contract_does()
    {
        var compilation = Compile("""
            #nullable enable
            [Service] public interface IA { ValueTask<string?> B(string? c, CallContext? context = null); }
            public class User { public async Task<string?> D(AClient client) => await client.B(null, null); }
            """);

        Driver().RunGeneratorsAndUpdateCompilation(compilation, out var output, out _, TestContext.Current.CancellationToken);

        Assert.Empty(output.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity >= DiagnosticSeverity.Warning));
    }

    [Fact]
    public void Unrelated_edit_writes_nothing_again()
    {
        var compilation = Compile("[Service] public interface IA { ValueTask B(); }");
        var driver = Driver().RunGenerators(compilation.AddSyntaxTrees(Parse("class Other { int x = 1; }")), TestContext.Current.CancellationToken);

        driver = driver.RunGenerators(compilation.AddSyntaxTrees(Parse("class Other { int x = 12; void M() { } }")), TestContext.Current.CancellationToken);

        var result = Assert.Single(driver.GetRunResult().Results);
        Assert.All(
            result.TrackedOutputSteps.SelectMany(s => s.Value).Concat(result.TrackedSteps["Services"]).SelectMany(s => s.Outputs),
            output => Assert.True(output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, output.Reason.ToString()));
    }

    [Fact]
    public void Every_name_that_the_generator_knows_exists()
    {
        var known = typeof(PostriderRpcGenerator).Assembly.GetType("Postrider.Rpc.Generator.Parsing.KnownNames")!
            .GetFields(BindingFlags.Static | BindingFlags.NonPublic).Where(f => f.IsLiteral).Select(f => (string)f.GetRawConstantValue()!).ToList();

        Assert.NotEmpty(known);
        Assert.All(known, name => Assert.NotNull(typeof(ServiceAttribute).Assembly.GetType(name)));
    }

    [Fact]
    public void Every_name_of_a_route_exists()
    {
        var known = typeof(PostriderRpcGenerator).Assembly.GetType("Postrider.Rpc.Generator.Parsing.RouteNames")!
            .GetFields(BindingFlags.Static | BindingFlags.NonPublic).Select(f => (string)f.GetRawConstantValue()!).ToList();

        Assert.NotEmpty(known);
        Assert.All(known, name => Assert.NotNull(typeof(ServiceAttribute).Assembly.GetType(name)));
    }

    [Fact]
    public void Every_name_of_the_dispatchers_messages_exists()
    {
        var known = typeof(PostriderRpcGenerator).Assembly.GetType("Postrider.Rpc.Generator.Parsing.DispatcherNames")!
            .GetFields(BindingFlags.Static | BindingFlags.NonPublic).Select(f => (string)f.GetRawConstantValue()!).ToList();

        Assert.NotEmpty(known);
        Assert.All(known, name => Assert.NotNull(typeof(IDispatcher).Assembly.GetType(name) ?? typeof(IDispatcher).Assembly.GetType(name + "`1")));
    }

    [Theory]
    [InlineData(true, "ValueTask<int> B(Q q, CancellationToken ct = default)")]
    [InlineData(true, "Task B(C c); [OneWay] Task D(N n); IAsyncEnumerable<string> E(S s); ValueTask F(N n); [OneWay] ValueTask G(C c); Task<int> H(V v)")]
    [InlineData(false, "ValueTask<int> B(Q q); ValueTask<int> D(int q)")]
    [InlineData(false, "ValueTask<long> B(Q q)")]
    [InlineData(false, "ValueTask<int> B(Q q, int more)")]
    [InlineData(false, "ValueTask<int> B(Q q, CallContext context)")]
    [InlineData(false, "ValueTask<int> B(Q q, IAsyncEnumerable<int> items)")]
    [InlineData(false, "ValueTask B(Q q)")]
    [InlineData(false, "IAsyncEnumerable<int> B(S s)")]
    [InlineData(false, "ValueTask B()")]
    public void Contract_whose_messages_are_the_dispatchers_is_served_by_it(bool isServed, string methods)
    {
        var compilation = Compile($$"""
            using Postrider;
            public record Q : IQuery<int>; public record C : ICommand; public record N : INotification; public record S : IStreamRequest<string>; public struct V : IRequest<int>;
            [Service] public interface IA { {{methods}}; }
            """);

        Driver().RunGeneratorsAndUpdateCompilation(compilation, out var output, out _, TestContext.Current.CancellationToken);

        Assert.Empty(output.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity == DiagnosticSeverity.Error));
        Assert.Equal(isServed ? 3 : 2, output.GetTypeByMetadataName("AContract")!.GetMembers("Serve").Length);
    }

    [Theory]
    [InlineData("[Service(\"a\")] public interface IA { ValueTask<int> B(string c, int d); [Bare] ValueTask C(string e); [OneWay] ValueTask F(); }")]
    [InlineData("[Service(\"a\")] public interface IA { [Fault(typeof(Lost))] ValueTask<int> B(string c); } public class Lost;")]
    public void Contract_is_the_same_code_with_and_without_SOAPs_package(string source)
    {
        var with = Compile(source);
        var without = with.WithReferences(s_references.Where(r => Path.GetFileNameWithoutExtension(r.Display!) is not ("Postrider.Rpc.Soap" or "Postrider.Xml" or "Postrider.Compat.ServiceModel")));

        Driver().RunGeneratorsAndUpdateCompilation(with, out var forSoap, out _, TestContext.Current.CancellationToken);
        Driver().RunGeneratorsAndUpdateCompilation(without, out var plain, out _, TestContext.Current.CancellationToken);

        Assert.NotNull(forSoap.GetTypeByMetadataName("Postrider.Rpc.Soap.SoapChannel"));
        Assert.Null(plain.GetTypeByMetadataName("Postrider.Rpc.Soap.SoapChannel"));
        Assert.Empty(plain.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity == DiagnosticSeverity.Error));
        Assert.NotNull(plain.GetTypeByMetadataName("AContract"));
        Assert.Equal(Written(forSoap), Written(plain));

        static string Written(Compilation output) => string.Concat(output.SyntaxTrees.Skip(2).Select(t => t.ToString()));
    }

    [Fact]
    public void Every_diagnostic_has_a_page()
    {
        Assert.All(new RpcAnalyzer().SupportedDiagnostics, rule => Assert.Contains(
            rule.Title.ToString(), File.ReadAllText(Checkout.PathOf("docs", "diagnostics", rule.Id + ".md")), StringComparison.Ordinal));
    }

    private static CSharpCompilation Compile(string source)
        => CSharpCompilation.Create(
            "User",
            [Parse("global using System; global using System.Collections.Generic; global using System.Threading; global using System.Threading.Tasks; global using Postrider.Rpc;"), Parse(source)],
            s_references, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));

    private static SyntaxTree Parse(string source) => CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.Preview));

    private static CSharpGeneratorDriver Driver() => CSharpGeneratorDriver.Create(
        [new PostriderRpcGenerator().AsSourceGenerator()], parseOptions: new CSharpParseOptions(LanguageVersion.Preview),
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));
}
