namespace Postrider.GeneratorTests;

/// <summary>Handlers that the application registered itself, and several calls of what registers the dispatcher.</summary>
public sealed class RegisteredHandlerTests
{
    private const string Handlers = """
        public static class Program { public static void Main() { } }
        public sealed partial record Ask : IQuery<int>;
        public sealed partial record Count : IQuery<int>;
        public sealed partial record Said : INotification;
        public class Asked : IRequestHandler<Ask, int> { public readonly List<string> Seen = new(); public ValueTask<int> Handle(Ask q, CancellationToken ct) { Seen.Add("ask"); return new(Seen.Count); } }
        public class Counted : IRequestHandler<Count, int> { int _calls; public ValueTask<int> Handle(Count q, CancellationToken ct) => new(++_calls); }
        public class Heard : INotificationHandler<Said> { public readonly List<string> Seen = new(); public ValueTask Handle(Said n, CancellationToken ct) { Seen.Add("said"); return default; } }

        """;

    [Theory]
    [InlineData("services.AddSingleton<Asked>().AddSingleton<Heard>(); services.AddPostrider();")]
    [InlineData("services.AddPostrider(); services.AddSingleton<Asked>().AddSingleton<Heard>();")]
    [InlineData("services.AddSingleton(new Asked()).AddSingleton(new Heard()); services.AddPostrider();")]
    [InlineData("services.AddPostrider(); services.AddSingleton(new Asked()).AddSingleton(new Heard());")]
    public async Task Handler_that_is_registered_as_a_singleton_is_the_one_that_runs(string register)
    {
        var user = UserProject.Compile(Handlers + $$"""
            public static class App
            {
                public static async Task<string> Run()
                {
                    var services = new ServiceCollection();
                    {{register}}
                    await using var provider = services.BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.SendAsync(new Ask());
                    await new Postrider.Generated.AppDispatcherUse(provider).Ask();
                    await d.PublishAsync(new Said());
                    return provider.GetRequiredService<Asked>().Seen.Count + " " + provider.GetRequiredService<Heard>().Seen.Count;
                }
            }
            namespace Postrider.Generated
            {
                public sealed class AppDispatcherUse(IServiceProvider provider) { public async Task Ask() => await provider.GetRequiredService<AppDispatcher>().SendAsync(new global::Ask()); }
            }
            """);

        Assert.Equal("2 1", await user.Run());
    }

    [Fact]
    public async Task Handler_with_state_is_the_containers_where_it_is_registered_and_new_per_call_where_not()
    {
        var user = UserProject.Compile(Handlers + """
            public static class App
            {
                private static async Task<string> Ask(IServiceCollection services)
                {
                    await using var provider = services.AddPostrider().BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    var root = provider.GetRequiredService<IDispatcher>();
                    var scoped = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                    return $"{await root.SendAsync(new Count())}{await scoped.SendAsync(new Count())}{await scoped.SendAsync(new Count())}";
                }

                public static async Task<string> Run() => string.Join(" ",
                    await Ask(new ServiceCollection()),
                    await Ask(new ServiceCollection().AddTransient<Counted>()),
                    await Ask(new ServiceCollection().AddSingleton<Counted>()),
                    await Ask(new ServiceCollection().AddSingleton(new Counted())));
            }
            """);

        Assert.Equal("111 111 123 123", await user.Run());
    }

    [Fact]
    public async Task Stateless_handler_that_a_factory_makes_per_scope_is_refused_by_name()
    {
        var user = UserProject.Compile(Handlers + """
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var plain = new ServiceCollection().AddScoped<Asked>().AddPostrider().BuildServiceProvider(true);
                    var answer = await plain.GetRequiredService<IDispatcher>().SendAsync(new Ask());
                    await using var provider = new ServiceCollection().AddScoped(_ => new Asked()).AddPostrider().BuildServiceProvider(true);
                    try { await provider.GetRequiredService<IDispatcher>().SendAsync(new Ask()); return "sent"; }
                    catch (PostriderException e) { return $"{answer} {e.Error} {e.Message}"; }
                }
            }
            """);

        Assert.StartsWith("1 Configuration Asked is registered as scoped", await user.Run(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Second_AddPostrider_adds_its_options()
    {
        var user = UserProject.Compile(Handlers + """
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection()
                        .AddPostrider(o => { o.Replace<Ask, int>((_, _) => new(7)); o.BackgroundQueueLength = 3; })
                        .AddPostrider()
                        .AddPostrider(o => o.Replace<Count, int>((_, _) => new(o.BackgroundQueueLength)))
                        .BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    return $"{await d.SendAsync(new Ask())} {await d.SendAsync(new Count())} {provider.GetServices<IDispatcher>().Count()}";
                }
            }
            """);

        Assert.Equal("7 3 1", await user.Run());
    }

    [Fact]
    public async Task Modules_that_each_call_AddPostrider_share_one_dispatcher()
    {
        var modules = new[] { "One", "Two" }.Select(name => UserProject.Compile($$"""
            [assembly: PostriderHost]
            public sealed partial record {{name}}(int N) : IQuery<int>;
            public sealed record {{name}}Said : INotification;
            internal sealed class {{name}}Handler : IRequestHandler<{{name}}, int> { public ValueTask<int> Handle({{name}} q, CancellationToken ct) => new(q.N + 1); }
            public static class {{name}}Module
            {
                public static IServiceCollection Add{{name}}(this IServiceCollection services) => services.AddPostrider();
                public static async Task<int> Own(IServiceProvider provider) => await provider.GetRequiredService<Postrider.Generated.AppDispatcher>().SendAsync(new {{name}}(20));
            }
            """, name, isLibrary: true)).ToArray();
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public sealed partial record Mine : IQuery<int>;
            internal static class H { [Handler] public static int On(Mine m) => 3; }
            [Middleware] internal sealed class Around<Q, R> : IMiddleware<Q, R> where Q : IQuery<R>
            { public static int Calls; public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { Calls++; return next.Invoke(q, ct); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddOne().AddTwo().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    var sums = $"{await d.SendAsync(new One(1))} {await d.SendAsync(new Two(2))} {await d.SendAsync(new Mine())}";
                    return $"{sums} {await OneModule.Own(provider)} {await TwoModule.Own(provider)} {d.GetType() == typeof(Postrider.Generated.AppDispatcher)}";
                }
            }
            """, references: modules);
        var apart = UserProject.Compile("""
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = OneModule.AddOne(TwoModule.AddTwo(new ServiceCollection())).BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    return $"{await d.SendAsync(new One(1))} {await d.SendAsync(new Two(2))} {await OneModule.Own(provider)}";
                }
            }
            """, "Apart", isLibrary: true, references: modules);

        Assert.Equal("2 3 3 21 21 True", await user.Run(modules));
        Assert.Equal("2 3 21", await apart.Run(modules));
    }

    [Theory]
    [InlineData("internal sealed class WantHandler(Nowhere nowhere) : IRequestHandler<Want, int> { public ValueTask<int> Handle(Want w, CancellationToken ct) => new(nowhere is null ? 0 : 1); }", "WantHandler")]
    [InlineData("internal static class Wants { [Handler] public static int On(Want w, Nowhere nowhere) => 1; }", "Wants of Want")]
    public async Task Service_that_is_not_registered_is_named_with_the_handler_that_needs_it(string handler, string named)
    {
        var user = UserProject.Compile(Handlers + "public sealed class Nowhere; public sealed partial record Want : IQuery<int>; " + handler + """
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    try { await provider.GetRequiredService<IDispatcher>().SendAsync(new Want()); return "sent"; } catch (PostriderException e) { return $"{e.Error}: {e.Message}"; }
                }
            }
            """);

        Assert.Equal($"Configuration: {named} needs Nowhere, which is not registered in the container.", await user.Run());
    }
}
