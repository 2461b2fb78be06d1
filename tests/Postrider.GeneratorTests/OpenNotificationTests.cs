namespace Postrider.GeneratorTests;

/// <summary>Handlers that are open for any notification.</summary>
public sealed class OpenNotificationTests
{
    private const string Log = """
        public static class Log { public static readonly List<string> Lines = new(); public static string All => string.Join(" ", Lines); }

        """;

    private const string Main = "public static class Program { public static void Main() { } }\n";

    [Fact]
    public async Task Open_handler_hears_every_notification_that_its_constraints_allow()
    {
        var user = UserProject.Compile(Main + Log + """
            public interface IAudited { int Id { get; } }
            public sealed partial record Paid(int Id) : INotification, IAudited;
            public sealed record Sent(int Id) : INotification, IAudited;
            public sealed record Opened : INotification;
            internal sealed class OnPaid : INotificationHandler<Paid> { public ValueTask Handle(Paid n, CancellationToken ct) { Log.Lines.Add("paid"); return default; } }
            [Handler(Order = 5)]
            internal sealed class Audit<T>(TimeProvider? time = null) : INotificationHandler<T> where T : IAudited, INotification
            { public ValueTask Handle(T n, CancellationToken ct) { Log.Lines.Add($"audit {typeof(T).Name}{n.Id}{time}"); return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Paid(1));
                    await d.PublishAsync(new Sent(2));
                    await d.PublishAsync(new Opened());
                    return Log.All;
                }
            }
            """);

        Assert.Equal("paid audit Paid1 audit Sent2", await user.Run());
    }

    [Fact]
    public async Task Open_handler_hears_a_derived_notification_once_and_as_what_it_is()
    {
        var user = UserProject.Compile(Main + Log + """
            public record Changed : INotification;
            public record Renamed : Changed;
            internal sealed class Any<T> : INotificationHandler<T> where T : INotification { ValueTask INotificationHandler<T>.Handle(T n, CancellationToken ct) { Log.Lines.Add(typeof(T).Name); return default; } }
            internal sealed class OnChanged : INotificationHandler<Changed> { public ValueTask Handle(Changed n, CancellationToken ct) { Log.Lines.Add("on"); return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Renamed());
                    await d.PublishAsync(new Changed());
                    return Log.All;
                }
            }
            """);

        Assert.Equal("Renamed on Changed on", string.Join(" ", (await user.Run()).Split(' ')));
    }

    [Fact]
    public async Task Open_handler_in_MediatRs_shape_hears_what_it_fits()
    {
        var user = UserProject.Compile("using Postrider.Compat.MediatR;\n" + Main + Log + """
            public interface IAudited;
            public sealed record Paid : Postrider.Compat.MediatR.INotification, IAudited;
            public sealed record Opened : Postrider.Compat.MediatR.INotification;
            public class Audit<T> : Postrider.Compat.MediatR.INotificationHandler<T> where T : Postrider.Compat.MediatR.INotification, IAudited
            { public Task Handle(T n, CancellationToken ct) { Log.Lines.Add("audit " + typeof(T).Name); return Task.CompletedTask; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddMediatR(_ => { }).BuildServiceProvider(true);
                    var mediator = provider.GetRequiredService<IMediator>();
                    await mediator.Publish(new Paid());
                    await mediator.Publish(new Opened());
                    return Log.All;
                }
            }
            """, withCompat: true);

        Assert.Equal("audit Paid", await user.Run());
    }

    [Fact]
    public async Task Open_handler_hears_notifications_of_other_projects_whoever_refers_to_whom()
    {
        var contracts = UserProject.Compile(Log + "public sealed record Ordered : INotification;", "Contracts", isLibrary: true);
        var infrastructure = UserProject.Compile("""
            public sealed record Started : INotification;
            public class Audit<T> : INotificationHandler<T> where T : INotification { public ValueTask Handle(T n, CancellationToken ct) { Log.Lines.Add("audit " + typeof(T).Name); return default; } }
            """.Replace("Log.Lines.Add", "Sink.Add").Insert(0, "public static class Sink { public static Action<string> To = _ => { }; public static void Add(string line) => To(line); }\n"),
            "Infrastructure", isLibrary: true);
        var first = UserProject.Compile("public sealed record First : INotification; public static class F { public static object Both(Audit<Ordered> a) => a; }", "FirstModule", isLibrary: true, references: [contracts, infrastructure]);
        var second = UserProject.Compile("public sealed record Second : INotification; public static class S { public static object Both(Audit<Ordered> a) => a; }", "SecondModule", isLibrary: true, references: [contracts, infrastructure]);
        UserProject[] all = [contracts, infrastructure, first, second];
        var user = UserProject.Compile(Main + """
            public sealed record Mine : INotification;
            public static class App
            {
                public static async Task<string> Run()
                {
                    Sink.To = Log.Lines.Add;
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    foreach (var n in new INotification[] { new Ordered(), new Started(), new First(), new Second(), new Mine() }) await d.PublishAsync(n);
                    return Log.All;
                }
            }
            """, references: all);
        var without = UserProject.Compile(Main + """
            public static class App
            {
                public static async Task<string> Run()
                {
                    Sink.To = Log.Lines.Add;
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Ordered());
                    return Log.All;
                }
            }
            """, references: [contracts, infrastructure]);

        Assert.Equal("audit Ordered audit Started audit First audit Second audit Mine", await user.Run(all));
        Assert.Equal("audit Ordered", await without.Run(contracts, infrastructure));
    }

    [Theory]
    [InlineData("internal sealed class Audit<T, U> : INotificationHandler<T> where T : INotification { public ValueTask Handle(T n, CancellationToken ct) => default; }", "close it with [assembly: UseHandler]")]
    [InlineData("public static class Outer { private sealed class Audit<T> : INotificationHandler<T> where T : INotification { public ValueTask Handle(T n, CancellationToken ct) => default; } }", "make it internal")]
    public async Task Open_handler_that_cannot_be_closed_is_an_error(string handler, string why)
    {
        var found = await UserProject.Diagnose(UserProject.Source(Main + "public sealed record Paid : INotification;\n" + handler));

        var error = Assert.Single(found, d => d.Id == "PR0008");
        Assert.Contains(why, error.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }
}
