namespace Postrider.GeneratorTests;

/// <summary>What handlers and middleware need is checked when the host starts, and middleware that the application registered runs.</summary>
public sealed class StartCheckTests
{
    private const string Project = """
        using System.Linq;
        using Microsoft.Extensions.Hosting;
        public static class Program { public static void Main() { } }
        public interface IStore; public interface IClock; public interface IDesk; public interface IBook;
        public sealed class Store : IStore; public sealed class Clock : IClock; public sealed class Desk : IDesk; public sealed class Book : IBook;
        public sealed partial record Ask : IQuery<int>;
        public sealed partial record Order(int N) : ICommand;
        public sealed partial record Said : INotification;
        public class Asked(IStore store, IClock? clock = null) : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(store is null ? 0 : clock is null ? 1 : 2); }
        public static class Ordered { [Handler] public static void On(Order o, [FromKeyedServices("front")] IDesk desk) { } }
        public sealed class Heard(IBook book) : INotificationHandler<Said> { public ValueTask Handle(Said n, CancellationToken ct) => default; }
        [Middleware] public sealed class Around<Q, R>(IComparer<Q> comparer) : IMiddleware<Q, R> where Q : IQuery<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }
        public static class Host
        {
            public static async Task<string> Start(IServiceCollection services)
            {
                await using var provider = services.BuildServiceProvider(true);
                try
                {
                    foreach (var hosted in provider.GetServices<IHostedService>().OfType<IHostedLifecycleService>())
                        await hosted.StartingAsync(default);
                    return "started";
                }
                catch (PostriderException e) { return e.Error + ": " + e.Message.ReplaceLineEndings(" "); }
            }
        }

        """;

    [Fact]
    public async Task Every_service_that_is_missing_is_named_with_its_handler_and_message_when_the_host_starts()
    {
        var user = UserProject.Compile(Project + """
            public static class App { public static Task<string> Run() => Host.Start(new ServiceCollection().AddPostrider(o => o.ValidateOnStart = true)); }
            """);

        var error = await user.Run();

        Assert.StartsWith("Configuration: ", error, StringComparison.Ordinal);
        Assert.Contains("Asked of Ask needs IStore, which is not registered in the container.", error, StringComparison.Ordinal);
        Assert.Contains("Ordered of Order needs IDesk with the key 'front', which is not registered", error, StringComparison.Ordinal);
        Assert.Contains("Heard of Said needs IBook,", error, StringComparison.Ordinal);
        Assert.Contains("of Ask needs System.Collections.Generic.IComparer`1[Ask],", error, StringComparison.Ordinal);
        Assert.DoesNotContain("IClock", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("AddPostrider(o => o.ValidateOnStart = true)", "AddSingleton<IStore, Store>()", "started")]
    [InlineData("AddPostrider(o => o.ValidateOnStart = true).AddPostrider()", "AddSingleton<IStore, Store>()", "started")]
    [InlineData("AddPostrider(o => o.ValidateOnStart = true)", "AddSingleton(_ => new Asked(new Store()))", "started")]
    [InlineData("AddPostrider(o => o.ValidateOnStart = true)", "AddSingleton(new Asked(new Store()))", "started")]
    [InlineData("AddPostrider(o => { o.ValidateOnStart = true; o.Replace<Ask, int>((_, _) => new(1)); })", "AddSingleton<Store>()", "started")]
    [InlineData("AddPostrider()", "AddSingleton<Store>()", "started")]
    [InlineData("AddPostrider().AddPostrider(o => o.ValidateOnStart = true)", "AddSingleton<Asked>()",
        "Configuration: Asked of Ask needs IStore, which is not registered in the container.")]
    public async Task Host_starts_when_the_container_has_what_the_handlers_that_run_need(string add, string more, string expected)
    {
        var user = UserProject.Compile(Project + $$"""
            public static class App
            {
                public static Task<string> Run() => Host.Start(new ServiceCollection()
                    .AddKeyedSingleton<IDesk, Desk>("front").AddScoped<IBook, Book>().AddSingleton<IComparer<Ask>>(Comparer<Ask>.Default)
                    .{{more}}.{{add}});
            }
            """);

        Assert.Equal(expected, await user.Run());
    }

    [Theory]
    [InlineData("", "started")]
    [InlineData(".Command<Order>(new TransportBinding(\"orders\"))", "Configuration: Ordered of Order needs IDesk with the key 'front', which is not registered in the container.")]
    [InlineData(".Notification<Said>(new TransportBinding(\"news\"))", "started")]
    public async Task Handler_of_a_routed_message_is_checked_if_the_message_also_arrives_here(string binding, string expected)
    {
        var user = UserProject.Compile("using Postrider.Serialization; using Postrider.Transports; " + Project + $$"""
            [System.Text.Json.Serialization.JsonSerializable(typeof(Order)), System.Text.Json.Serialization.JsonSerializable(typeof(Said))]
            public sealed class Types() : System.Text.Json.Serialization.JsonSerializerContext(null)
            {
                protected override System.Text.Json.JsonSerializerOptions? GeneratedSerializerOptions => null;
                public override System.Text.Json.Serialization.Metadata.JsonTypeInfo? GetTypeInfo(Type type) => null;
            }
            public static class App
            {
                public static Task<string> Run()
                {
                    var json = new JsonSerializerProvider(new Types());
                    var services = new ServiceCollection().AddSingleton<IStore, Store>().AddScoped<IBook, Book>().AddSingleton<IComparer<Ask>>(Comparer<Ask>.Default)
                        .AddPostrider(o => { o.ValidateOnStart = true; o.Route<Order, Unit>("work", json, "orders"); });
                    services.AddPostriderTransport("work", _ => new InMemoryTransport(), json){{binding}};
                    return Host.Start(services);
                }
            }
            """);

        Assert.Equal(expected, await user.Run());
    }

    [Fact]
    public async Task Middleware_of_a_project_around_a_handler_of_another_is_checked_too()
    {
        var library = UserProject.Compile("""
            public sealed partial record Far : IQuery<int>;
            public static class FarHandler { [Handler] public static int On(Far f) => 1; }
            """, "Far", isLibrary: true);
        var user = UserProject.Compile(Project + """
            public static class App { public static Task<string> Run() => Host.Start(new ServiceCollection().AddPostrider(o => o.ValidateOnStart = true)); }
            """, references: [library]);

        Assert.Contains("of Far needs System.Collections.Generic.IComparer`1[Far],", await user.Run(library), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "1 1 2")]
    [InlineData("AddSingleton(Counting<Ask, int>.From(10)).", "11 1 12")]
    [InlineData("AddSingleton(typeof(Counting<,>)).", "1 1 2")]
    [InlineData("AddScoped(typeof(Counting<,>)).", "1 1 2")]
    public async Task Middleware_that_lives_once_is_the_containers_where_it_is_registered(string register, string expected)
    {
        var user = UserProject.Compile($$"""
            public static class Program { public static void Main() { } }
            public sealed partial record Ask : IQuery<int>;
            public sealed partial record Other : IQuery<int>;
            public static class H { [Handler] public static int On(Ask q) => 0; [Handler] public static int On(Other q) => 0; }
            [Middleware] public class Counting<Q, R> : IMiddleware<Q, R> where Q : IQuery<R>
            {
                private readonly System.Runtime.CompilerServices.StrongBox<int> _calls;
                public Counting() => _calls = new(0);
                private Counting(int from) => _calls = new(from);
                public static Counting<Q, R> From(int number) => new(number);
                public async ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { await next.Invoke(q, ct); return (R)(object)++_calls.Value; }
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().{{register}}AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    return $"{await d.SendAsync(new Ask())} {await d.SendAsync(new Other())} {await d.SendAsync(new Ask())}";
                }
            }
            """);

        Assert.Equal(expected, await user.Run());
    }
}
