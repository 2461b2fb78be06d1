namespace Postrider.GeneratorTests;

/// <summary>What is said to <c>AddMediatR</c>, and how often.</summary>
public sealed class CompatRegistrationTests
{
    private const string Main = """
        using Postrider.Compat.MediatR;
        using Microsoft.Extensions.DependencyInjection.Extensions;
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static string All => string.Join(" ", Lines); }
        public record Ping : Postrider.Compat.MediatR.IRequest<string>;
        public class PingHandler : Postrider.Compat.MediatR.IRequestHandler<Ping, string> { public Task<string> Handle(Ping r, CancellationToken ct) { Log.Lines.Add("handled"); return Task.FromResult("pong"); } }
        public record Said : Postrider.Compat.MediatR.INotification;
        public class SaidHandler : Postrider.Compat.MediatR.INotificationHandler<Said> { public Task Handle(Said n, CancellationToken ct) { Log.Lines.Add("said"); return Task.CompletedTask; } }
        public class B<Q, R> : IPipelineBehavior<Q, R> where Q : notnull { public Task<R> Handle(Q q, RequestHandlerDelegate<R> next, CancellationToken ct) { Log.Lines.Add("B"); return next(); } }
        public class C<Q, R> : IPipelineBehavior<Q, R> where Q : notnull { public Task<R> Handle(Q q, RequestHandlerDelegate<R> next, CancellationToken ct) { Log.Lines.Add("C"); return next(); } }
        public class Pre<Q> : IRequestPreProcessor<Q> where Q : notnull { public Task Process(Q q, CancellationToken ct) { Log.Lines.Add("pre"); return Task.CompletedTask; } }
        public class PrePing : IRequestPreProcessor<Ping> { public Task Process(Ping q, CancellationToken ct) { Log.Lines.Add("pre"); return Task.CompletedTask; } }
        public class PostPing : IRequestPostProcessor<Ping, string> { public Task Process(Ping q, string r, CancellationToken ct) { Log.Lines.Add("post"); return Task.CompletedTask; } }
        public class Closed : IPipelineBehavior<Ping, string> { public Task<string> Handle(Ping q, RequestHandlerDelegate<string> next, CancellationToken ct) { Log.Lines.Add("closed"); return next(); } }
        public class Noting : INotificationPublisher
        { public async Task Publish(IEnumerable<NotificationHandlerExecutor> all, Postrider.Compat.MediatR.INotification n, CancellationToken ct) { Log.Lines.Add("publisher"); foreach (var one in all) await one.HandlerCallback(n, ct); } }

        """;

    [Theory]
    [InlineData("s.AddTransient(typeof(IPipelineBehavior<,>), typeof(B<,>)); s.AddMediatR(c => c.AddOpenBehavior(typeof(B<,>)));", "B handled")]
    [InlineData("s.AddMediatR(c => c.AddOpenBehavior(typeof(B<,>)).AddOpenBehavior(typeof(C<,>)).AddOpenBehavior(typeof(B<,>)));", "B C handled")]
    [InlineData("s.AddMediatR(c => c.AddBehavior<Closed>().AddBehavior<Closed>().AddOpenRequestPreProcessor(typeof(Pre<>)).AddOpenRequestPreProcessor(typeof(Pre<>)));", "pre closed handled")]
    [InlineData("s.AddMediatR(c => c.AddOpenBehavior(typeof(B<,>))); s.AddMediatR(c => c.AddOpenBehavior(typeof(C<,>)).AddOpenBehavior(typeof(B<,>)));", "B C handled")]
    [InlineData("s.AddMediatR(_ => { }); s.AddMediatR(_ => { });", "handled")]
    [InlineData("s.AddMediatR(c => c.AddBehavior(typeof(Closed)).AddBehavior(typeof(Closed)).AddRequestPreProcessor(typeof(PrePing)).AddRequestPostProcessor(typeof(PostPing)));", "pre closed handled post")]
    [InlineData("s.AddMediatR(c => c.RegisterServicesFromAssemblyContaining(typeof(Ping)));", "handled")]
    public async Task Behavior_runs_once_however_often_it_is_named(string register, string expected)
    {
        var user = UserProject.Compile(Main + $$"""
            public static class App
            {
                public static async Task<string> Run()
                {
                    var s = new ServiceCollection();
                    {{register}}
                    await using var provider = s.BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    await scope.ServiceProvider.GetServices<IMediator>().Single().Send(new Ping());
                    return Log.All;
                }
            }
            """, withCompat: true);

        Assert.Equal(expected, await user.Run());
    }

    [Theory]
    [InlineData("s.AddMediatR(_ => { }); s.AddSingleton<INotificationPublisher>(new Noting());", "publisher said")]
    [InlineData("s.AddMediatR(_ => { }); s.AddScoped<INotificationPublisher, Noting>();", "publisher said")]
    [InlineData("s.AddSingleton<INotificationPublisher>(new Noting()); s.AddMediatR(_ => { });", "publisher said")]
    [InlineData("s.AddMediatR(c => c.NotificationPublisher = new Noting()); s.AddMediatR(_ => { });", "publisher said")]
    [InlineData("s.AddMediatR(_ => { });", "said")]
    public async Task Publisher_of_the_container_is_used_whenever_it_was_registered(string register, string expected)
    {
        var user = UserProject.Compile(Main + $$"""
            public static class App
            {
                public static async Task<string> Run()
                {
                    var s = new ServiceCollection();
                    {{register}}
                    await using var provider = s.BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    await scope.ServiceProvider.GetRequiredService<IMediator>().Publish(new Said());
                    return Log.All;
                }
            }
            """, withCompat: true);

        Assert.Equal(expected, await user.Run());
    }

    [Theory]
    [InlineData("s.AddMediatR(c => c.AddOpenBehavior(typeof(Closed)))", "InvalidOperationException")]
    [InlineData("s.AddMediatR(c => c.AddOpenBehavior(typeof(Pre<>)))", "InvalidOperationException")]
    [InlineData("s.AddMediatR(c => c.AddOpenStreamBehavior(typeof(B<,>)))", "InvalidOperationException")]
    [InlineData("s.AddMediatR(c => c.AddBehavior<PingHandler>())", "InvalidOperationException")]
    [InlineData("s.AddMediatR(c => c.AddBehavior(typeof(PingHandler)))", "InvalidOperationException")]
    [InlineData("s.AddMediatR(c => c.AddStreamBehavior(typeof(Closed)))", "InvalidOperationException")]
    [InlineData("m().Send((object)\"text\").GetAwaiter().GetResult()", "ArgumentException")]
    [InlineData("m().Publish((object)\"text\").GetAwaiter().GetResult()", "ArgumentException")]
    [InlineData("m().Publish((object)new Ping()).GetAwaiter().GetResult()", "ArgumentException")]
    public async Task What_fits_nothing_is_refused_with_MediatRs_exception(string call, string expected)
    {
        var user = UserProject.Compile(Main + $$"""
            public static class App
            {
                public static Task<string> Run()
                {
                    var s = new ServiceCollection();
                    Func<IMediator> m = () => s.AddMediatR(_ => { }).BuildServiceProvider().GetRequiredService<IMediator>();
                    try { {{call}}; return Task.FromResult("no exception" + m); }
                    catch (Exception e) { return Task.FromResult(e.GetType().Name); }
                }
            }
            """, withCompat: true);

        Assert.Equal(expected, await user.Run());
    }
}
