using Microsoft.CodeAnalysis;

namespace Postrider.GeneratorTests;

/// <summary>Several projects: their handlers, their calls, and what they show of each other.</summary>
public sealed class ProjectsTests
{
    private const string Core = """
        namespace Core;
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) => Lines.Add(line.ToString()!); public static string All => string.Join(" ", Lines); }
        public sealed partial record Sold(string Item) : INotification;
        public sealed partial record Stock(string Item) : IQuery<int>;
        public sealed partial record Count(int To) : IStreamRequest<int>;
        internal sealed class StockHandler : IRequestHandler<Stock, int> { public ValueTask<int> Handle(Stock q, CancellationToken ct) => new(q.Item.Length); }
        internal sealed class SoldHandler : INotificationHandler<Sold> { public ValueTask Handle(Sold n, CancellationToken ct) { Log.Add("core"); return default; } }
        internal static class Counting { [Handler] public static async IAsyncEnumerable<int> On(Count c) { for (var i = 0; i < c.To; i++) { await Task.Yield(); yield return i; } } }
        """;

    private const string Shop = """
        using Core;
        namespace Shop;
        public sealed partial record Sell(string Item) : ICommand;
        internal sealed class SellHandler(IDispatcher d) : ICommandHandler<Sell>
        {
            public async ValueTask Handle(Sell c, CancellationToken ct)
            {
                Log.Add(await d.SendAsync(new Stock(c.Item), ct));
                await foreach (var i in d.StreamAsync(new Count(2), ct)) Log.Add("#" + i);
                await d.PublishAsync(new Sold(c.Item), ct);
            }
        }
        [Handler(Order = -1)] internal sealed class Cashier : INotificationHandler<Sold> { public ValueTask Handle(Sold n, CancellationToken ct) { Log.Add("shop"); return default; } }
        """;

    [Fact]
    public async Task Projects_whose_names_differ_in_a_sign_only_have_modules_of_their_own()
    {
        var dotted = UserProject.Compile(Part("Dot"), "My.Shop", isLibrary: true);
        var lined = UserProject.Compile(Part("Line"), "My_Shop", isLibrary: true);
        var dashed = UserProject.Compile(Part("Dash"), "My-Shop", isLibrary: true);
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    return await d.SendAsync(new Dot.Ask()) + await d.SendAsync(new Line.Ask()) + await d.SendAsync(new Dash.Ask());
                }
            }
            """, "MyShop", references: [dotted, lined, dashed]);

        Assert.Equal("DotLineDash", await user.Run(dotted, lined, dashed));

        static string Part(string name) => $$"""
            namespace {{name}};
            public sealed partial record Ask : IQuery<string>;
            internal sealed class AskHandler : IRequestHandler<Ask, string> { public ValueTask<string> Handle(Ask q, CancellationToken ct) => new("{{name}}"); }
            """;
    }

    [Fact]
    public async Task Project_that_is_reached_on_two_ways_is_wired_once_and_libraries_may_send()
    {
        var core = UserProject.Compile(Core, "Core", isLibrary: true);
        var shop = UserProject.Compile(Shop, "Shop", isLibrary: true, references: core);
        var user = UserProject.Compile("""
            using Core;
            public static class Program { public static void Main() { } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    await provider.GetRequiredService<IDispatcher>().SendAsync(new Shop.Sell("tea"));
                    return Log.All;
                }
            }
            """, references: [core, shop]);

        Assert.Equal("3 #0 #1 shop core", await user.Run(core, shop));
        Assert.Contains(shop.Compilation.SyntaxTrees, t => t.FilePath.EndsWith("Postrider.Interceptors.g.cs", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Project_that_may_see_the_internals_of_another_has_a_dispatcher_of_its_own()
    {
        var core = UserProject.Compile(Core, "Core", isLibrary: true);
        var service = UserProject.Compile("""
            using Core;
            using System.Runtime.CompilerServices;
            [assembly: PostriderHost]
            [assembly: InternalsVisibleTo("User")]
            namespace Service;
            internal sealed partial record Open : IQuery<int>;
            internal sealed class OpenHandler : IRequestHandler<Open, int> { public ValueTask<int> Handle(Open q, CancellationToken ct) => new(24); }
            public static class Setup { public static IServiceCollection AddService(IServiceCollection services) => services.AddPostrider(); }
            """, "Service", isLibrary: true, references: core);
        var user = UserProject.Compile("""
            using Core;
            public static class Program { public static void Main() { } }
            internal sealed partial record Own : IQuery<int>;
            internal sealed class OwnHandler : IRequestHandler<Own, int> { public ValueTask<int> Handle(Own q, CancellationToken ct) => new(7); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var own = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    await using var theirs = Service.Setup.AddService(new ServiceCollection()).BuildServiceProvider(true);
                    var d = own.GetRequiredService<Postrider.Generated.AppDispatcher>();
                    return await d.SendAsync(new Own()) + " " + await own.GetRequiredService<IDispatcher>().SendAsync(new Service.Open())
                        + " " + await theirs.GetRequiredService<IDispatcher>().SendAsync(new Service.Open());
                }
            }
            """, references: [core, service]);

        Assert.Equal("7 24 24", await user.Run(core, service));
        Assert.DoesNotContain(
            user.Compilation.GetDiagnostics(TestContext.Current.CancellationToken), d => d.Severity >= DiagnosticSeverity.Warning);
    }

    [Fact]
    public void Map_of_the_project_is_at_the_head_of_its_module()
    {
        var core = UserProject.Compile(Core, "Core", isLibrary: true);
        var user = UserProject.Compile("""
            using Core;
            public static class Program { public static void Main() { } }
            public sealed partial record Ask : IQuery<int>;
            internal sealed class AskHandler : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }
            [Middleware(Order = 2)] internal sealed class Inner<Q, R> : IMiddleware<Q, R> where Q : IQuery<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }
            [Middleware(Order = 1)] internal sealed class Outer : IBeforeHook<Ask> { public void Before(Ask q) { } }
            """, references: core);

        var module = user.Compilation.SyntaxTrees.Single(t => t.FilePath.EndsWith("Postrider.Module.g.cs", StringComparison.Ordinal)).ToString();
        var map = module.Split('\n').SkipWhile(line => !line.StartsWith("// Handlers of", StringComparison.Ordinal)).TakeWhile(line => line.StartsWith("//", StringComparison.Ordinal));

        Assert.Equal(
            ["// Handlers of User: 1 message types.", "//   Ask (request): Outer -> Inner<Ask, int> -> AskHandler", "//   Core.Stock, of a referenced project: Inner<Core.Stock, int> -> its handler"],
            map);
    }

    [Fact]
    public async Task Map_at_run_time_shows_the_way_of_every_message()
    {
        var core = UserProject.Compile(Core, "Core", isLibrary: true);
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public sealed partial record Ask : IQuery<int>;
            internal sealed class AskHandler : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }
            [Middleware] internal sealed class Watch<Q, R> : IMiddleware<Q, R> where Q : IQuery<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    return provider.GetRequiredService<Postrider.Dispatch.IHandlerMap>().ToMarkdown();
                }
            }
            """, references: core);

        var lines = (await user.Run(core)).TrimEnd().Split('\n');

        Assert.Equal(
            ["| Ask | request | int | AskHandler | Watch<Ask, int> | Singleton | None |",
                "| Core.Count | stream | int | Core.Counting.On |  | Singleton | None |",
                "| Core.Sold | notification |  | Core.SoldHandler |  | Singleton | None |",
                "| Core.Stock | request | int | Core.StockHandler | Watch<Core.Stock, int> | Singleton | None |"],
            lines[2..]);
    }
}
