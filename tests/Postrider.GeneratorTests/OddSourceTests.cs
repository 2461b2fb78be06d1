using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generator;

namespace Postrider.GeneratorTests;

/// <summary>Source that is legal and unusual: it is wired without an error or warning of the compiler, or gets a diagnostic of ours.</summary>
public sealed class OddSourceTests
{
    private const string Main = """
        using System.Diagnostics.CodeAnalysis;
        public static class Program { public static void Main() { } }
        public sealed partial record Ask(int N) : IQuery<int>;

        """;

    public static TheoryData<string, string> Refused => new()
    {
        { "private constructor", Main + "internal sealed class H : IRequestHandler<Ask, int> { private H() { } public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }" },
        { "required members", Main + "internal sealed class H : IRequestHandler<Ask, int> { public required int X { get; init; } public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }" },
        { "constructor by reference", Main + "internal sealed class H : IRequestHandler<Ask, int> { public H(ref int x) { } public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }" },
        { "struct handler", Main + "internal struct H : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }" },
        { "file-local handler", Main + "file sealed class H : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }" },
        { "file-local message", Main + "file sealed partial record Local : IQuery<int>; file sealed class L : IRequestHandler<Local, int> { public ValueTask<int> Handle(Local q, CancellationToken ct) => new(1); } internal static class H { [Handler] public static int On(Ask q) => 1; }" },
        { "private message", Main + "public partial class Outer { private sealed partial record Secret : IQuery<int>; internal sealed class H : IRequestHandler<Secret, int> { ValueTask<int> IRequestHandler<Secret, int>.Handle(Secret q, CancellationToken ct) => new(1); public static ValueTask<int> Call(IDispatcher d) => d.SendAsync(new Secret()); } } internal static class A { [Handler] public static int On(Ask q) => 1; }" },
        { "private response", Main + "public class Outer { private sealed class R; internal sealed record Q : IQuery<IReadOnlyList<object>>; internal sealed class H : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); [Handler] private static R On(Q q) => new(); } }" },
        { "async void", Main + "internal static class H { [Handler] public static async void On(Ask q) => await Task.Yield(); }" },
        { "ref parameter", Main + "internal static class H { [Handler] public static int On(Ask q, ref int n) => n; }" },
        { "out parameter", Main + "internal static class H { [Handler] public static int On(Ask q, out int n) => n = 1; }" },
        { "ref struct message", Main + "internal static class H { [Handler] public static int On(Ask q) => 1; [Handler] public static int On(ReadOnlySpan<char> text) => 1; }" },
        { "array message", Main + "internal static class H { [Handler] public static int On(Ask q) => 1; [Handler] public static int On(int[] numbers) => 1; }" },
        { "number as message", Main + "internal static class H { [Handler] public static int On(Ask q) => 1; [Handler] public static string On(int n) => \"n\" + n; }" },
        { "ref struct response", Main + "internal static class H { [Handler] public static ReadOnlySpan<char> On(Ask q) => \"\"; }" },
        { "reference response", Main + "internal static class H { static int s_n; [Handler] public static ref int On(Ask q) => ref s_n; }" },
        { "generic class", Main + "internal sealed class H<T> { [Handler] public int On(Ask q) => 1; }" },
        { "abstract class", Main + "internal abstract class H { [Handler] public int On(Ask q) => 1; }" },
        { "two kinds", Main + "internal sealed partial record Both : IQuery<int>, INotification; internal sealed class H : IRequestHandler<Ask, int>, IRequestHandler<Both, int>, INotificationHandler<Both> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); public ValueTask<int> Handle(Both q, CancellationToken ct) => new(1); ValueTask INotificationHandler<Both>.Handle(Both q, CancellationToken ct) => default; }" },
        { "two responses", Main + "internal sealed partial record Both : IQuery<int>, IQuery<string>; internal sealed class H : IRequestHandler<Ask, int>, IRequestHandler<Both, int>, IRequestHandler<Both, string> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); public ValueTask<int> Handle(Both q, CancellationToken ct) => new(1); ValueTask<string> IRequestHandler<Both, string>.Handle(Both q, CancellationToken ct) => new(\"\"); }" },
        { "two handlers", Main + "internal static class H { [Handler] public static int One(Ask q) => 1; [Handler] public static int Two(Ask q) => 1; }" },
        { "void for a query", Main + "internal static class H { [Handler] public static void On(Ask q) { } }" },
        { "middleware without constructor", Main + "internal static class H { [Handler] public static int On(Ask q) => 1; } [Middleware] internal sealed class M<Q, R> : IMiddleware<Q, R> where Q : IRequest<R> { private M() { } public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }" },
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task What_cannot_be_wired_gets_a_diagnostic_and_no_error_of_the_compiler(string what, string source)
    {
        var compilation = UserProject.Source(source);
        var ours = await UserProject.Diagnose(compilation);

        Assert.True(ours.Any(d => d.Id.StartsWith("PR", StringComparison.Ordinal) && d.Severity >= DiagnosticSeverity.Warning), what + " was not reported.");
        Assert.Empty(Complaints(compilation));
    }

    [Fact]
    public async Task Unusual_names_types_and_parameters_are_wired_without_a_warning()
    {
        var user = UserProject.Source(Odd);

        Assert.Empty(Complaints(user));
        Assert.Equal(
            "1 1 1 null -1 1 b 4 4 9 x\"\\y3High0.5-1.5'00:00:00True 3tTrue 3 1 8 dyn 3 6 IDispatcher IDispatcher 7 1",
            await UserProject.Compile(Odd).Run());
    }

    [Fact]
    public async Task Keys_of_services_keep_their_types_and_names()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            namespace Middleware { public enum Kind { A, B } }
            public sealed record Foo(string Name);
            public sealed partial record Ask : IQuery<string>;
            internal static class H
            {
                [Handler] public static string On(
                    Ask q, [FromKeyedServices(Middleware.Kind.B)] Foo a, [FromKeyedServices((byte)3)] Foo b, [FromKeyedServices(typeof(Middleware.Kind))] Foo c,
                    [FromKeyedServices(5L)] Foo d, [FromKeyedServices(1.0)] Foo e, [FromKeyedServices('c')] Foo f, [FromKeyedServices("\"k\"")] Foo g,
                    [FromKeyedServices(null)] Foo h, [FromKeyedServices(double.NaN)] Foo i)
                    => string.Join(" ", a.Name, b.Name, c.Name, d.Name, e.Name, f.Name, g.Name, h.Name, i.Name);
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var services = new ServiceCollection().AddSingleton(new Foo("none"));
                    foreach (var (key, name) in new (object, string)[] { (Middleware.Kind.B, "enum"), ((byte)3, "byte"), (3, "int"), (typeof(Middleware.Kind), "type"), (5L, "long"), (1.0, "double"), ('c', "char"), ("\"k\"", "text"), (double.NaN, "nan") })
                        services.AddKeyedSingleton(key, new Foo(name));
                    await using var provider = services.AddPostrider().BuildServiceProvider(true);
                    return await provider.GetRequiredService<IDispatcher>().SendAsync(new Ask());
                }
            }
            """);

        Assert.Equal("enum byte type long double char text none nan", await user.Run());
    }

    [Fact]
    public async Task Defaults_at_the_ends_of_their_types_arrive()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public enum Level : ulong { Top = ulong.MaxValue }
            public sealed partial record Ask : IQuery<string>;
            internal static class H
            {
                [Handler] public static string On(
                    Ask q, double a = double.NaN, float b = float.NegativeInfinity, double c = double.PositiveInfinity, long d = long.MinValue, ulong e = ulong.MaxValue,
                    Level f = Level.Top, Level? g = Level.Top, decimal? h = -1.5m, int? i = 3, int? j = null, nint k = -1, sbyte l = -128, double m = double.MinValue, float n = 0.1f)
                    => FormattableString.Invariant($"{a} {b} {c} {d} {e} {f} {g} {h} {i} {j is null} {k} {l} {m == double.MinValue} {n}");
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    return await provider.GetRequiredService<IDispatcher>().SendAsync(new Ask());
                }
            }
            """);

        Assert.Equal("NaN -Infinity Infinity -9223372036854775808 18446744073709551615 Top Top -1.5 3 True -1 -128 True 0.1", await user.Run());
    }

    [Fact]
    public async Task Constructor_that_the_class_names_is_called_though_another_takes_more()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public sealed class Foo; public sealed class Bar;
            public sealed partial record Ask : IQuery<string>;
            internal sealed class H : IRequestHandler<Ask, string>
            {
                private readonly string _which;
                [ActivatorUtilitiesConstructor] public H(Foo foo) => _which = "one";
                public H(Foo foo, Bar bar) => _which = "two";
                public ValueTask<string> Handle(Ask q, CancellationToken ct) => new(_which);
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddSingleton<Foo>().AddPostrider().BuildServiceProvider(true);
                    return await provider.GetRequiredService<IDispatcher>().SendAsync(new Ask());
                }
            }
            """);

        Assert.Equal("one", await user.Run());
    }

    // The compiler's, in the user's source and in ours.
    private static IEnumerable<Diagnostic> Complaints(CSharpCompilation compilation)
    {
        CSharpGeneratorDriver.Create([new PostriderGenerator().AsSourceGenerator()], parseOptions: UserProject.Options)
            .RunGeneratorsAndUpdateCompilation(compilation, out var output, out _, TestContext.Current.CancellationToken);
        return output.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity >= DiagnosticSeverity.Warning);
    }

    private const string Odd = """
        using System.Linq.Expressions;
        using System.Globalization;
        [assembly: UseHandler(typeof(Generic.BoxHandler<int>))]
        public static class Program { public static void Main() { } }
        public static class App
        {
            public static async Task<string> Run()
            {
                await using var provider = new ServiceCollection().AddSingleton<IFoo, Foo>().AddPostrider().BuildServiceProvider(true);
                var d = provider.GetRequiredService<IDispatcher>();
                var log = new List<object>();
                log.Add(await d.SendAsync(new Generic.Box<int>(1)));
                log.Add(await d.SendAsync(new @event.@class(1)));
                log.Add((await d.SendAsync((object)new @event.@struct(1)))!);
                log.Add(await d.SendAsync(new Nulls.S()) ?? "null");
                log.Add(await d.SendAsync(new Nulls.I()) ?? -1);
                log.Add((await d.SendAsync(new Nulls.L())).Count);
                log.Add((await d.SendAsync(new Shapes.T())).B!);
                log.Add((await d.SendAsync(new Shapes.A())).Length);
                log.Add(await d.SendAsync(new Structs.Ping(4)));
                log.Add(await d.SendAsync<int>(new Structs.Plain { N = 9 }));
                log.Add(await d.SendAsync(new Optional.Ask()));
                log.Add(await d.SendAsync(new Optional.Made()));
                log.Add(await d.SendAsync(new Bases.Gen()));
                log.Add(await d.SendAsync(new Params.In()));
                log.Add(await d.SendAsync(new Required.Ask()));
                log.Add(await d.SendAsync(new Dynamic.Ask()) ?? "null");
                log.Add(await d.SendAsync<int>((1, 2)));
                log.Add(await d.SendAsync(new InGeneric.Outer<int>.Ask()));
                Expression<Func<IDispatcher, ValueTask<int>>> setup = x => x.SendAsync(new Params.In(), default);
                log.Add(((MethodCallExpression)setup.Body).Method.DeclaringType!.Name);
                Expression<Func<IDispatcher, Func<ValueTask<int>>>> inner = x => () => x.SendAsync(new Params.In(), default);
                log.Add(((MethodCallExpression)((LambdaExpression)inner.Body).Body).Method.DeclaringType!.Name);
                log.Add(await d.SendAsync(new Constraints.IntAsk()));
                log.Add(await d.SendAsync(new Constraints.StringAsk()));
                return string.Join(" ", log);
            }
        }
        public interface IFoo; public sealed class Foo : IFoo;
        namespace Generic { public sealed record Box<T>(T V) : IQuery<T>; public sealed class BoxHandler<T> : IRequestHandler<Box<T>, T> { public ValueTask<T> Handle(Box<T> q, CancellationToken ct) => new(q.V); } }
        namespace @event
        {
            public sealed partial record @class(int N) : IQuery<int>;
            internal sealed class @operator : IRequestHandler<@class, int> { public ValueTask<int> Handle(@class @new, CancellationToken @for) => new(@new.N); }
            public sealed partial record @struct(int N) : IQuery<int>;
            internal static class @static { [Handler] public static int @new(@struct @if, IFoo @base) => @if.N; }
        }
        namespace Nulls
        {
            public sealed partial record S : IQuery<string?>; public sealed partial record I : IQuery<int?>; public sealed partial record L : IQuery<List<string?>>; public sealed partial record St : IStreamRequest<string?>;
            internal sealed class H : IRequestHandler<S, string?>, IRequestHandler<I, int?>, IRequestHandler<L, List<string?>>
            { public ValueTask<string?> Handle(S q, CancellationToken ct) => default; public ValueTask<int?> Handle(I q, CancellationToken ct) => default; public ValueTask<List<string?>> Handle(L q, CancellationToken ct) => new([null]); }
            internal static class N { [Handler] public static async IAsyncEnumerable<string?> On(St q) { await Task.Yield(); yield return null; } }
        }
        namespace Shapes
        {
            public sealed partial record T : IQuery<(int A, string? B)>; public sealed partial record A : IQuery<int[,]>; public sealed partial record D : IQuery<Dictionary<string, List<(int X, nint Y)>>>;
            internal static class H { [Handler] public static (int A, string? B) On(T q) => (1, "b"); [Handler] public static int[,] On(A q) => new int[2, 2]; [Handler] public static Dictionary<string, List<(int X, nint Y)>> On(D q) => new(); }
        }
        namespace Structs { public readonly partial record struct Ping(int N) : IQuery<int>; public struct Plain { public int N; } internal static class H { [Handler] public static int On(Ping p) => p.N; [Handler] public static int On2(Plain p) => p.N; } }
        namespace Optional
        {
            public enum Level { Low, High }
            public sealed partial record Ask : IQuery<string>; public sealed partial record Made : IQuery<string>;
            internal static class H { [Handler] public static string On(Ask q, string name = "x\"\\y", int n = 3, Level level = Level.High, double ratio = 0.5, decimal m = -1.5m, char c = '\'', TimeSpan span = default, IFoo? foo = null, CancellationToken ct = default) => name + n + level + ratio.ToString(CultureInfo.InvariantCulture) + m.ToString(CultureInfo.InvariantCulture) + c + span + (foo is not null); }
            internal sealed class C(int retries = 3, string text = "t", Uri? uri = null) : IRequestHandler<Made, string> { public ValueTask<string> Handle(Made q, CancellationToken ct) => new(retries + text + (uri is null)); }
        }
        namespace Bases { public abstract class Template<TQ, TR> : IRequestHandler<TQ, TR> where TQ : IQuery<TR> { public abstract ValueTask<TR> Handle(TQ q, CancellationToken ct); } public sealed partial record Gen : IQuery<int>; internal sealed class HG : Template<Gen, int> { public override ValueTask<int> Handle(Gen q, CancellationToken ct) => new(3); } }
        namespace Params { public sealed partial record In : IQuery<int>; internal static class H { [Handler] public static int On(in In q, in CancellationToken ct) => 1; } }
        namespace Required { public sealed partial record Ask : IQuery<int>; internal sealed class H : IRequestHandler<Ask, int> { [System.Diagnostics.CodeAnalysis.SetsRequiredMembers] public H(IFoo foo) => N = foo is null ? 0 : 8; public required int N { get; init; } public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(N); } }
        namespace Dynamic { public sealed partial record Ask : IQuery<object?>; internal static class H { [Handler] public static dynamic? On(Ask q) => "dyn"; } }
        namespace Odd { internal static class H { [Handler] public static int On((int A, int B) t) => t.A + t.B; } }
        namespace InGeneric { public static class Outer<T> { public sealed record Ask : IQuery<int>; } internal sealed class H : IRequestHandler<Outer<int>.Ask, int> { public ValueTask<int> Handle(Outer<int>.Ask q, CancellationToken ct) => new(6); } }
        namespace Constraints
        {
            public interface IC; public sealed partial record IntAsk : IQuery<int>, IC; public sealed partial record StringAsk : IQuery<string>, IC;
            internal static class H { public static int Ran; [Handler] public static int On(IntAsk q) => 4 + Ran; [Handler] public static string On(StringAsk q) => (Ran - 3).ToString(); }
            [Middleware] internal sealed class OnlyClass<Q, R> : IMiddleware<Q, R> where Q : IRequest<R>, IC where R : class { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { H.Ran++; return next.Invoke(q, ct); } }
            [Middleware] internal sealed class OnlyStruct<Q, R> : IMiddleware<Q, R> where Q : IRequest<R>, IC where R : struct { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { H.Ran++; return next.Invoke(q, ct); } }
            [Middleware] internal sealed class OnlyNew<Q, R> : IMiddleware<Q, R> where Q : IRequest<R>, IC where R : new() { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { H.Ran++; return next.Invoke(q, ct); } }
            [Middleware] internal sealed class OnlyUnmanaged<Q, R> : IMiddleware<Q, R> where Q : IRequest<R>, IC where R : unmanaged { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { H.Ran++; return next.Invoke(q, ct); } }
        }
        namespace MyApp.Postrider { public sealed class System; public sealed class Task; }
        """;
}
