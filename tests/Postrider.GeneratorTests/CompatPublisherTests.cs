namespace Postrider.GeneratorTests;

/// <summary>Publishers of one's own: in MediatR's shape, and in Postrider's.</summary>
public sealed class CompatPublisherTests
{
    private const string Main = """
        using Postrider.Compat.MediatR;
        using INotification = Postrider.Compat.MediatR.INotification;
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) { lock (Lines) Lines.Add(line.ToString()!); } public static string All => string.Join(" ", Lines); }
        public record Said(string Text) : INotification;
        public class Urgent : Attribute { }
        public class First : Postrider.Compat.MediatR.INotificationHandler<Said> { public async Task Handle(Said n, CancellationToken ct) { await Task.Yield(); Log.Add("first:" + n.Text); throw new InvalidOperationException("1"); } }
        [Urgent] public class Second : Postrider.Compat.MediatR.INotificationHandler<Said> { public Task Handle(Said n, CancellationToken ct) { Log.Add("second:" + n.Text + ct.IsCancellationRequested); return Task.CompletedTask; } }
        public class Counting : Postrider.Compat.MediatR.INotificationHandler<Said> { public int Calls; public Task Handle(Said n, CancellationToken ct) { Calls++; return Task.CompletedTask; } }

        """;

    private const string UrgentFirst = """
        public class UrgentFirst : INotificationPublisher
        {
            public async Task Publish(IEnumerable<NotificationHandlerExecutor> handlerExecutors, INotification notification, CancellationToken cancellationToken)
            {
                var errors = new List<Exception>();
                foreach (var executor in handlerExecutors.OrderBy(e => e.HandlerInstance.GetType().IsDefined(typeof(Urgent), false) ? 0 : 1).ThenBy(e => e.HandlerInstance.GetType().Name))
                {
                    try { await executor.HandlerCallback(notification, cancellationToken).ConfigureAwait(false); } catch (Exception e) { errors.Add(e); }
                    if (executor.HandlerInstance is Counting counting) Log.Add("counted" + counting.Calls);
                }
                if (errors.Count > 0) throw new AggregateException(errors);
            }
        }

        """;

    [Theory]
    [InlineData("c.NotificationPublisher = new UrgentFirst()", "")]
    [InlineData("c.NotificationPublisherType = typeof(UrgentFirst)", "")]
    [InlineData("c.Lifetime = ServiceLifetime.Transient", ".AddScoped<INotificationPublisher, UrgentFirst>()")]
    public async Task Publisher_in_MediatRs_shape_is_given_the_handlers_and_their_instances(string configure, string before)
    {
        var user = UserProject.Compile(Main + UrgentFirst + $$"""
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection(){{before}}.AddMediatR(c => {{configure}}).BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    try { await scope.ServiceProvider.GetRequiredService<IMediator>().Publish(new Said("a"), new CancellationToken(true)); } catch (AggregateException e) { Log.Add(e.InnerExceptions.Single().Message); }
                    try { await provider.GetRequiredService<IPublisher>().Publish((object)new Said("b")); } catch (AggregateException e) { Log.Add(e.InnerExceptions.Single().Message); }
                    return Log.All;
                }
            }
            """, withCompat: true);

        Assert.Equal("second:aTrue counted1 first:a 1 second:bFalse counted1 first:b 1", await user.Run());
    }

    [Fact]
    public async Task Publisher_may_hand_the_handlers_to_others_and_middleware_still_stands_around_them()
    {
        var user = UserProject.Compile("""
            using Postrider.Compat.MediatR;
            using INotification = Postrider.Compat.MediatR.INotification;

            """ + Main[Main.IndexOf("public static class Program", StringComparison.Ordinal)..] + """
            [Middleware] internal sealed class Survive<N> : IExceptionHandler<N, Postrider.Unit, InvalidOperationException> where N : INotification
            { public ValueTask<ExceptionHandlerResult<Postrider.Unit>> Handle(N n, InvalidOperationException e, CancellationToken ct) { Log.Add("survived"); return new(new ExceptionHandlerResult<Postrider.Unit>(default)); } }
            public sealed record Own : Postrider.INotification;
            [Handler] internal sealed class OnOwn : Postrider.INotificationHandler<Own> { public ValueTask Handle(Own n, CancellationToken ct) { Log.Add("own"); return default; } }
            [Publish(PublishStrategy.Sequential)] public record Strategic : INotification;
            public class OnStrategic : Postrider.Compat.MediatR.INotificationHandler<Strategic> { public Task Handle(Strategic n, CancellationToken ct) { Log.Add("strategic"); return Task.CompletedTask; } }
            public class All : TaskWhenAllPublisher, INotificationPublisher
            {
                Task INotificationPublisher.Publish(IEnumerable<NotificationHandlerExecutor> executors, INotification n, CancellationToken ct)
                { var all = executors.ToList(); Log.Add(string.Join(",", all.Select(e => e.HandlerInstance.GetType().Name).Order())); return Publish(all, n, ct); }
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddMediatR(c => c.NotificationPublisher = new All()).BuildServiceProvider(true);
                    var mediator = provider.GetRequiredService<IMediator>();
                    await mediator.Publish(new Said("x"));
                    await mediator.Publish(new Strategic());
                    await provider.GetRequiredService<IDispatcher>().PublishAsync(new Own());
                    return string.Join(" ", Log.Lines.Take(1).Concat(Log.Lines.Skip(1).Order(StringComparer.Ordinal)));
                }
            }
            """, withCompat: true);

        Assert.Equal("Counting,First,Second first:x own second:xFalse strategic survived", await user.Run());
    }

    [Fact]
    public async Task Strategy_of_ones_own_is_given_the_handlers_of_all_projects()
    {
        var library = UserProject.Compile("""
            public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) => Lines.Add(line.ToString()!); public static string All => string.Join(" ", Lines); }
            public sealed class Visit { static int s_made; public int Id = ++s_made; }
            public sealed partial record Told : INotification;
            internal sealed class Far(Visit visit) : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.Add("far" + visit.Id); return default; } }
            """, "Library", isLibrary: true);
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public static class Near { [Handler] public static void On(Told n) => Log.Add("near"); }
            [Middleware] internal sealed class Around<N> : IMiddleware<N, Unit> where N : INotification
            { public ValueTask<Unit> Handle(N n, Next<N, Unit> next, CancellationToken ct) { Log.Add("around"); return next.Invoke(n, ct); } }
            public sealed record Unheard : INotification;
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<Visit>().AddPostrider(o => o.Publisher = async (services, handlers, notification, ct) =>
                    {
                        Log.Add(handlers.Count + ":" + services.GetRequiredService<Visit>().Id);
                        foreach (var handler in handlers.Reverse())
                        {
                            if (handler.Handler.GetType().Name == "Far") Log.Add("Far:");
                            await handler.Invoke(notification, ct);
                        }
                    }).BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Told());
                    await d.PublishAsync(new Unheard());
                    return Log.All;
                }
            }
            """, references: library);

        Assert.Equal("2:1 Far: around far1 around near 0:2", await user.Run(library));
    }
}
