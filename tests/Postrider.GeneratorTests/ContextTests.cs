namespace Postrider.GeneratorTests;

/// <summary>The context: what it carries, for whom it is made, and whose it is afterwards.</summary>
public sealed class ContextTests
{
    private const string Main = """
        using System.Security.Claims;
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) { lock (Lines) Lines.Add(line.ToString()!); } public static string All => string.Join(" ", Lines); }

        """;

    [Fact]
    public async Task Context_carries_what_the_origin_of_the_call_says()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask : IQuery<string>;
            public static class H
            {
                [Handler] public static string On(Ask q, MessageContext context, CancellationToken ct) => string.Join(" ",
                    context.CorrelationId, context.CausationId, context.Headers["Tenant"], context.User?.Identity?.Name, context.Deadline?.Year,
                    context.Cancellation == ct && ct.IsCancellationRequested, context.MessageId.Length);
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<DispatcherFactory>().Make(new CallOrigin
                    {
                        CorrelationId = "talk", CausationId = "cause", Headers = new() { { "tenant", "acme" } },
                        User = new(new ClaimsIdentity([new(ClaimTypes.Name, "ann")], "test")), Deadline = new(2031, 1, 1, 0, 0, 0, TimeSpan.Zero),
                    });
                    return await d.SendAsync(new Ask(), new CancellationToken(canceled: true));
                }
            }
            """);

        Assert.Equal("talk cause acme ann 2031 True 32", await user.Run());
    }

    [Fact]
    public async Task Pipeline_takes_the_context_back_however_the_call_ends()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask(int Way) : IQuery<int>;
            public sealed partial record Told(int Way) : INotification;
            public static class H
            {
                public static MessageContext? Last;
                [Handler] public static async Task<int> On(Ask q, MessageContext context)
                {
                    Note(context);
                    if (q.Way == 1) await Task.Yield();
                    return q.Way == 2 ? throw new InvalidOperationException() : q.Way;
                }
                [Handler] public static void On(Told n, MessageContext context) { Note(context); if (n.Way == 2) throw new InvalidOperationException(); }
                static void Note(MessageContext context) { Log.Add(Last is null ? "made" : ReferenceEquals(Last, context) ? "again" : "other"); Log.Add(context.CorrelationId == context.MessageId && context.Headers.Count == 0); context.Headers.Add("X", "y"); Last = context; }
            }
            public static class App
            {
                public static Task<string> Run()
                {
                    // One thread from the beginning to the end: the pool gives a thread its own context back.
                    var ended = new TaskCompletionSource<string>();
                    new Thread(() => { try { ended.SetResult(Work()); } catch (Exception e) { ended.SetException(e); } }).Start();
                    return ended.Task;
                }
                static string Work()
                {
                    using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    foreach (var way in new[] { 0, 2, 0 })
                        try { d.SendAsync(new Ask(way)).AsTask().GetAwaiter().GetResult(); } catch (InvalidOperationException) { }
                    foreach (var way in new[] { 0, 2, 0 })
                        try { d.PublishAsync(new Told(way)).AsTask().GetAwaiter().GetResult(); } catch (InvalidOperationException) { }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("made True again True again True again True again True again True", await user.Run());
    }

    [Fact]
    public async Task Context_is_made_for_the_messages_whose_middleware_takes_one_and_for_no_other()
    {
        var user = UserProject.Compile(Main + """
            public interface IAudited;
            public sealed partial record Watched : IQuery<int>, IAudited;
            public sealed partial record Plain : IQuery<int>;
            public sealed partial record Feed : IStreamRequest<int>;
            public static class H
            {
                [Handler] public static int On(Watched q) => 1;
                [Handler] public static int On(Plain q) => 2;
                [Handler] public static async IAsyncEnumerable<int> On(Feed q, MessageContext context) { await Task.Yield(); yield return context.CorrelationId.Length; yield return context.MessageId.Length; }
            }
            [Middleware] internal sealed class Audit<Q, R> : IContextMiddleware<Q, R> where Q : IRequest<R>, IAudited
            { public ValueTask<R> Handle(Q q, MessageContext context, Next<Q, R> next, CancellationToken ct) { Log.Add(context.User?.Identity?.Name ?? "nobody"); return next.Invoke(q, ct); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await d.SendAsync(new Watched()));
                    Log.Add(await d.SendAsync(new Plain()));
                    await foreach (var length in d.StreamAsync(new Feed())) Log.Add(length);
                    Log.Add(string.Join(",", provider.GetRequiredService<Postrider.Dispatch.IHandlerMap>().Messages.Select(m => m.Message + ":" + m.Needs)));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("nobody 1 2 32 32 Feed:Context,Plain:None,Watched:Context", await user.Run());
    }

    [Theory]
    [InlineData("var rest = next.Invoke(q, ct).AsTask(); Calls.Left = rest; return new(0);")]
    [InlineData("Calls.Left = Later(q, next); return new(0);")]
    [InlineData("return await await Task.WhenAny(Calls.Keep(next.Invoke(q, ct).AsTask()), Task.FromResult(0));")]
    public async Task What_a_middleware_leaves_running_sees_the_user_of_its_own_call(string body)
    {
        var isAsync = body.Contains("await", StringComparison.Ordinal);
        var user = UserProject.Compile("""
            using System.Security.Claims;
            public static class Program { public static void Main() { } }
            public sealed partial record Ask(int N) : IQuery<int>;
            public sealed partial record Other : IQuery<int>;
            public static class Calls
            {
                public static readonly TaskCompletionSource Go = new(), Inside = new(), End = new();
                public static string User = "";
                public static Task<int> Left = Task.FromResult(0);
                public static Task<int> Keep(Task<int> task) => Left = task;
            }
            public static class H
            {
                [Handler] public static async Task<int> On(Ask q, MessageContext context) { await Calls.Go.Task; Calls.User = context.User!.FindFirst("name")!.Value; return 1; }
                [Handler] public static async Task<int> On(Other q, MessageContext context) { Calls.Inside.SetResult(); await Calls.End.Task; return 2; }
            }
            [Middleware] internal sealed class Early : IMiddleware<Ask, int>
            {
                public BODY
                private static async Task<int> Later(Ask q, Next<Ask, int> next) { await Calls.Go.Task; return await next.Invoke(q, default); }
            }
            public static class App
            {
                private static ClaimsPrincipal Named(string name) => new(new ClaimsIdentity([new("name", name)]));
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var factory = provider.GetRequiredService<DispatcherFactory>();
                    await factory.Make(new CallOrigin { User = Named("guest") }).SendAsync(new Ask(1));
                    var other = factory.Make(new CallOrigin { User = Named("admin") }).SendAsync(new Other()).AsTask();
                    await Calls.Inside.Task;
                    Calls.Go.SetResult();
                    await Calls.Left;
                    Calls.End.SetResult();
                    await other;
                    return Calls.User;
                }
            }
            """.Replace("BODY", $"{(isAsync ? "async " : "")}ValueTask<int> Handle(Ask q, Next<Ask, int> next, CancellationToken ct) {{ {body} }}", StringComparison.Ordinal));

        Assert.Equal("guest", await user.Run());
    }
}
