namespace Postrider.GeneratorTests;

public sealed class HandlerTests
{
    private const string Main = """
        public static class Program { public static void Main() { } }
        public static class Log
        {
            public static readonly List<string> Lines = new();
            public static void Add(string line) { lock (Lines) Lines.Add(line); }
            public static string All => string.Join(" ", Lines);
        }

        """;

    [Fact]
    public async Task Handler_that_is_found_and_named_by_the_assembly_too_runs_once()
    {
        var user = UserProject.Compile("""
            [assembly: UseHandler(typeof(Heard))]
            public static class Program { public static void Main() { } }
            public sealed partial record Told : INotification;
            internal sealed class Heard : INotificationHandler<Told> { public static int Times; public ValueTask Handle(Told n, CancellationToken ct) { Times++; return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    await provider.GetRequiredService<IDispatcher>().PublishAsync(new Told());
                    return Heard.Times.ToString();
                }
            }
            """);

        Assert.Equal("1", await user.Run());
    }

    [Fact]
    public async Task Every_kind_of_message_meets_its_internal_handler()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask(int N) : IQuery<int>;
            public sealed record Do(string What) : ICommand;
            public sealed record Make(int N) : ICommand<string>;
            public sealed partial record Told(string What) : INotification;
            public sealed partial record Count(int To) : IStreamRequest<int>;
            internal sealed class AskHandler : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(q.N * 2); }
            internal sealed class DoHandler : ICommandHandler<Do> { public ValueTask Handle(Do c, CancellationToken ct) { Log.Add(c.What); return default; } }
            internal sealed class MakeHandler : IRequestHandler<Make, string> { async ValueTask<string> IRequestHandler<Make, string>.Handle(Make c, CancellationToken ct) { await Task.Yield(); return "made" + c.N; } }
            internal sealed class ToldA : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.Add("A" + n.What); return default; } }
            internal sealed class ToldB : INotificationHandler<Told> { public async ValueTask Handle(Told n, CancellationToken ct) { await Task.Yield(); Log.Add("B" + n.What); } }
            internal sealed class CountHandler : IStreamRequestHandler<Count, int>
            {
                public async IAsyncEnumerable<int> Handle(Count q, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct)
                { for (var i = 0; i < q.To; i++) { await Task.Yield(); yield return i; } }
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add((await d.SendAsync(new Ask(21))).ToString());
                    await d.SendAsync(new Do("done"));
                    Log.Add(await d.SendAsync(new Make(7)));
                    await d.PublishAsync(new Told("!"));
                    await foreach (var i in d.StreamAsync(new Count(3))) Log.Add("#" + i);
                    object opaque = new Ask(4);
                    Log.Add((await d.SendAsync(opaque))!.ToString()!);
                    var concrete = provider.GetRequiredService<Postrider.Generated.AppDispatcher>();
                    Log.Add((await concrete.SendAsync(new Ask(5))).ToString());
                    await concrete.SendAsync(new Do("direct"));
                    return Log.All;
                }
            }
            """);

        var log = await user.Run();

        Assert.Equal("42 done made7 A! B! #0 #1 #2 8 10 direct", log);
    }

    [Fact]
    public async Task Sequence_can_be_asked_for_by_an_object_and_is_traced_while_it_is_enumerated()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Count(int To) : IStreamRequest<int>;
            internal static class H { [Handler] public static async IAsyncEnumerable<int> On(Count q) { for (var i = 0; i < q.To; i++) { await Task.Yield(); yield return i < 3 ? i : throw new InvalidOperationException("three"); } } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    using var listener = new System.Diagnostics.ActivityListener
                    {
                        ShouldListenTo = source => source.Name == "Postrider",
                        Sample = (ref System.Diagnostics.ActivityCreationOptions<System.Diagnostics.ActivityContext> _) => System.Diagnostics.ActivitySamplingResult.AllData,
                        ActivityStopped = a => { if (a.OperationName == "process Count") Log.Add(a.GetTagItem("messaging.operation.name") + ":" + a.Status + ":" + a.GetTagItem("error.type")); },
                    };
                    System.Diagnostics.ActivitySource.AddActivityListener(listener);
                    await using var provider = new ServiceCollection().AddPostrider(o => o.Telemetry = true).BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await foreach (var item in d.StreamAsync((object)new Count(2))) Log.Add(item!.ToString()!);
                    try { await foreach (var item in d.StreamAsync(new Count(4))) Log.Add("#" + item); } catch (InvalidOperationException e) { Log.Add(e.Message); }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("0 1 process:Unset: #0 #1 #2 process:Error:System.InvalidOperationException three", await user.Run());
    }

    [Fact]
    public async Task Handler_methods_take_services_and_return_any_shape()
    {
        var user = UserProject.Compile(Main + """
            public sealed class Store { public int Value = 40; }
            public sealed record Plain(int N);
            public sealed record Fire(string Text);
            public sealed partial record Sync(int N) : IQuery<int>;
            public sealed partial record AsTask(int N) : IQuery<int>;
            public sealed partial record Seq : IStreamRequest<string>;
            public static class Handlers
            {
                [Handler] public static int Take(Plain p, Store store) => p.N + store.Value;
                [Handler] public static void Take(Fire f) => Log.Add(f.Text);
                [Handler] internal static async Task<int> Take(AsTask q, Store store, CancellationToken ct) { await Task.Yield(); return q.N + store.Value; }
                [Handler] public static async IAsyncEnumerable<string> Take(Seq q) { yield return "x"; await Task.Yield(); yield return "y"; }
            }
            public sealed class Instance(Store store) { [Handler] public ValueTask<int> Take(Sync q) => new(q.N + store.Value); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddSingleton<Store>().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    var concrete = provider.GetRequiredService<Postrider.Generated.AppDispatcher>();
                    Log.Add((await d.SendAsync<int>((object)new Plain(2))).ToString());
                    Log.Add((await concrete.SendAsync(new Plain(3))).ToString());
                    await d.SendAsync((object)new Fire("fired"));
                    Log.Add((await d.SendAsync(new Sync(4))).ToString());
                    Log.Add((await d.SendAsync(new AsTask(5))).ToString());
                    await foreach (var s in d.StreamAsync(new Seq())) Log.Add(s);
                    return Log.All;
                }
            }
            """);

        var log = await user.Run();

        Assert.Equal("42 43 fired 44 45 x y", log);
    }

    [Fact]
    public async Task Structs_plain_requests_and_keyed_services_are_wired_too()
    {
        var user = UserProject.Compile(Main + """
            public readonly partial record struct Small(int N) : IQuery<int>;
            public readonly partial record struct Ticked(int N) : INotification;
            public sealed partial class Wide : IRequest<string> { public int N { get; init; } }
            public sealed class Store(string name) { public string Name => name; }
            internal sealed class SmallHandler : IRequestHandler<Small, int> { public ValueTask<int> Handle(Small q, CancellationToken ct) => new(q.N + 1); }
            internal sealed class WideHandler([FromKeyedServices("a")] Store a, [FromKeyedServices("b")] Store b, Uri? none = null) : IRequestHandler<Wide, string>
            { public ValueTask<string> Handle(Wide q, CancellationToken ct) => new(a.Name + b.Name + q.N + (none is null)); }
            internal sealed class TickedHandler : INotificationHandler<Ticked> { public ValueTask Handle(Ticked n, CancellationToken ct) { Log.Add("tick" + n.N); return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddKeyedSingleton("a", new Store("A")).AddKeyedSingleton("b", new Store("B")).AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add((await d.SendAsync(new Small(1))).ToString());
                    Log.Add((await provider.GetRequiredService<Postrider.Generated.AppDispatcher>().SendAsync(new Small(2))).ToString());
                    Log.Add(await d.SendAsync(new Wide { N = 3 }));
                    await d.PublishAsync(new Ticked(4));
                    await d.PublishAsync((object)new Ticked(5));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("2 3 AB3True tick4 tick5", await user.Run());
    }

    [Fact]
    public async Task Scoped_handlers_share_the_scope_they_are_called_in_and_get_one_of_their_own_otherwise()
    {
        var user = UserProject.Compile(Main + """
            public sealed class Unit : IDisposable { static int s_made; public int Id = Interlocked.Increment(ref s_made); public void Dispose() => Log.Add("disposed" + Id); }
            public sealed partial record Which : IQuery<int>;
            public sealed partial record Nested : IQuery<string>;
            internal sealed class WhichHandler(Unit unit) : IRequestHandler<Which, int> { public ValueTask<int> Handle(Which q, CancellationToken ct) => new(unit.Id); }
            internal sealed class NestedHandler(Unit unit, IDispatcher d) : IRequestHandler<Nested, string>
            { public async ValueTask<string> Handle(Nested q, CancellationToken ct) { await Task.Yield(); return unit.Id + "=" + await d.SendAsync(new Which(), ct); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<Unit>().AddPostrider().BuildServiceProvider(true);
                    var root = provider.GetRequiredService<IDispatcher>();
                    Log.Add((await root.SendAsync(new Which())).ToString());
                    Log.Add((await root.SendAsync(new Which())).ToString());
                    await using (var scope = provider.CreateAsyncScope())
                    {
                        var d = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                        Log.Add((await d.SendAsync(new Which())) + "," + (await d.SendAsync(new Which())));
                    }
                    Log.Add(await root.SendAsync(new Nested()));
                    return Log.All;
                }
            }
            """);

        var log = await user.Run();

        Assert.Equal("disposed1 1 disposed2 2 3,3 disposed3 disposed4 4=4", log);
    }

    [Fact]
    public async Task Handlers_of_a_referenced_library_are_found_though_they_are_internal()
    {
        var library = UserProject.Compile("""
            namespace Sales;
            public sealed partial record Price(string Item) : IQuery<int>;
            public sealed record Sold(string Item) : INotification;
            internal sealed class PriceHandler : IRequestHandler<Price, int> { public ValueTask<int> Handle(Price q, CancellationToken ct) => new(q.Item.Length); }
            internal sealed class SoldHandler : INotificationHandler<Sold> { public ValueTask Handle(Sold n, CancellationToken ct) { Seen += n.Item; return default; } public static string Seen = ""; }
            public static class Peek { public static string Seen => SoldHandler.Seen; }
            """, "Sales", isLibrary: true);
        var user = UserProject.Compile("""
            using Sales;
            public static class Program { public static void Main() { } }
            internal sealed class Also : INotificationHandler<Sold> { public ValueTask Handle(Sold n, CancellationToken ct) { Seen += n.Item; return default; } public static string Seen = ""; }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Sold("tea"));
                    return (await d.SendAsync(new Price("rope"))) + Peek.Seen + Also.Seen;
                }
            }
            """, references: library);

        var log = await user.Run(library);

        Assert.Equal("4teatea", log);
    }

    [Fact]
    public async Task Generic_handler_is_closed_by_an_attribute()
    {
        var user = UserProject.Compile("""
            [assembly: UseHandler(typeof(ByIdHandler<string>))]
            public static class Program { public static void Main() { } }
            public sealed record ById<T>(int Id) : IQuery<T>;
            public sealed class ByIdHandler<T> : IRequestHandler<ById<T>, T> { public ValueTask<T> Handle(ById<T> q, CancellationToken ct) => new((T)(object)("#" + q.Id)); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    return await provider.GetRequiredService<IDispatcher>().SendAsync(new ById<string>(9));
                }
            }
            """);

        Assert.Equal("#9", await user.Run());
    }

    [Fact]
    public async Task Context_is_made_for_the_message_that_takes_one_and_carries_the_conversation()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Outer : IQuery<string>;
            public sealed partial record Inner : IQuery<string>;
            public static class Handlers
            {
                [Handler] public static async Task<string> On(Outer q, MessageContext context)
                {
                    await Task.Yield();
                    var inner = await context.Follow().SendAsync(new Inner());
                    return (inner == context.CorrelationId + "/" + context.MessageId) ? "same conversation" : inner;
                }
                [Handler] public static string On(Inner q, MessageContext context) => context.CorrelationId + "/" + context.CausationId;
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var map = provider.GetRequiredService<Postrider.Dispatch.IHandlerMap>();
                    return await provider.GetRequiredService<IDispatcher>().SendAsync(new Outer()) + " " + map.Messages.Single(m => m.Message == "Outer").Needs;
                }
            }
            """);

        Assert.Equal("same conversation Context", await user.Run());
    }

    [Fact]
    public async Task Intercepted_call_leaves_another_dispatcher_alone()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public sealed partial record Ask : IQuery<int>;
            internal sealed class AskHandler : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }
            internal sealed class Double : IDispatcher
            {
                public ValueTask<T> SendAsync<T>(IRequest<T> r, CancellationToken ct) => new((T)(object)99);
                public ValueTask SendAsync(ICommand c, CancellationToken ct) => default;
                public ValueTask<object?> SendAsync(object m, CancellationToken ct) => default;
                public ValueTask<T> SendAsync<T>(object m, CancellationToken ct) => default;
                public ValueTask PublishAsync(INotification n, CancellationToken ct) => default;
                public ValueTask PublishAsync(object n, CancellationToken ct) => default;
                public ValueTask PostAsync(object m, CancellationToken ct) => default;
                public IAsyncEnumerable<T> StreamAsync<T>(IStreamRequest<T> r, CancellationToken ct) => throw new NotSupportedException();
                public IAsyncEnumerable<object?> StreamAsync(object m, CancellationToken ct) => throw new NotSupportedException();
            }
            public static class App
            {
                static ValueTask<int> Call(IDispatcher d) => d.SendAsync(new Ask());
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    return await Call(provider.GetRequiredService<IDispatcher>()) + " " + await Call(new Double());
                }
            }
            """);

        Assert.Equal("1 99", await user.Run());
        Assert.Contains(user.Compilation.SyntaxTrees, t => t.FilePath.EndsWith("Postrider.Interceptors.g.cs", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Derived_request_uses_its_own_handler_or_its_bases()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public partial record Animal : IQuery<string>;
            public sealed record Dog : Animal;
            public sealed record Cat : Animal;
            internal sealed class AnimalHandler : IRequestHandler<Animal, string> { public ValueTask<string> Handle(Animal q, CancellationToken ct) => new("animal:" + q.GetType().Name); }
            internal sealed class DogHandler : IRequestHandler<Dog, string> { public ValueTask<string> Handle(Dog q, CancellationToken ct) => new("dog"); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    var c = provider.GetRequiredService<Postrider.Generated.AppDispatcher>();
                    Animal dog = new Dog(), cat = new Cat();
                    return string.Join(" ", await d.SendAsync(dog), await d.SendAsync(cat), await c.SendAsync(dog), await d.SendAsync(new Animal()));
                }
            }
            """);

        Assert.Equal("dog animal:Cat dog animal:Animal", await user.Run());
    }
}
