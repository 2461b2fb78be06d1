namespace Postrider.GeneratorTests;

/// <summary>What fails, wherever it fails: the caller sees that exception, and every scope that was made has ended.</summary>
public sealed class FailureTests
{
    private const string Shop = """
        public static class Program { public static void Main() { } }
        public sealed class Fault(string place) : Exception(place);
        public static class At { public static string Place = ""; public static void Here(string place) { if (Place == place) throw new Fault(place); } }
        public sealed class Visit : IDisposable
        {
            public static int Made, Ended;
            public Visit() { Interlocked.Increment(ref Made); At.Here("service"); }
            public void Dispose() => Interlocked.Increment(ref Ended);
        }
        public sealed partial record Ask : IQuery<int>;
        public sealed partial record Plain : IQuery<int>;
        public sealed partial record WithContext : ICommand;
        public sealed partial record Told : INotification;
        public sealed partial record Count : IStreamRequest<int>;
        internal sealed class AskHandler : IRequestHandler<Ask, int>, IDisposable
        {
            public AskHandler(Visit visit) => At.Here("constructor");
            public async ValueTask<int> Handle(Ask q, CancellationToken ct) { At.Here("start"); await Task.Yield(); At.Here("handler"); return 1; }
            public void Dispose() => At.Here("dispose");
        }
        internal sealed class PlainHandler : IRequestHandler<Plain, int>, IAsyncDisposable
        {
            public PlainHandler(Visit visit) => At.Here("constructor");
            public ValueTask<int> Handle(Plain q, CancellationToken ct) { At.Here("start"); At.Here("handler"); return new(1); }
            public async ValueTask DisposeAsync() { await Task.Yield(); At.Here("dispose"); }
        }
        internal static class H
        {
            [Handler] public static async Task On(WithContext c, MessageContext context, Visit visit) { At.Here("start"); At.Here("constructor"); await Task.Yield(); At.Here("handler"); At.Here("dispose"); }
            [Handler] public static async IAsyncEnumerable<int> On(Count c, Visit visit) { At.Here("start"); At.Here("constructor"); yield return 1; await Task.Yield(); At.Here("handler"); At.Here("dispose"); yield return 2; }
        }
        internal sealed class ToldHandler : INotificationHandler<Told>, IDisposable
        {
            public ToldHandler(Visit visit) => At.Here("constructor");
            public ValueTask Handle(Told n, CancellationToken ct) { At.Here("start"); At.Here("handler"); return default; }
            public void Dispose() => At.Here("dispose");
        }
        [Middleware] internal sealed class Around<Q, R>(Visit visit) : IMiddleware<Q, R> where Q : notnull
        {
            public async ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { At.Here("before"); var r = await next.Invoke(q, ct); At.Here("after"); return visit is null ? default! : r; }
        }
        [Middleware] internal sealed class AroundStream<Q, R>(Visit visit) : IStreamMiddleware<Q, R> where Q : notnull
        {
            public async IAsyncEnumerable<R> Handle(Q q, NextStream<Q, R> next, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct) { At.Here("before"); await foreach (var r in next.Invoke(q, ct)) yield return r; At.Here(visit is null ? "" : "after"); }
        }
        public static class App
        {
            static async ValueTask All(IDispatcher d, int which)
            {
                switch (which)
                {
                    case 0: await d.SendAsync(new Ask()); break;
                    case 1: await d.SendAsync(new Plain()); break;
                    case 2: await d.SendAsync(new WithContext()); break;
                    case 3: await d.PublishAsync(new Told()); break;
                    case 4: await foreach (var i in d.StreamAsync(new Count())) { } break;
                    default: await d.SendAsync((object)new Ask()); break;
                }
            }
            public static async Task<string> Run()
            {
                var wrong = new List<string>();
                await using var provider = new ServiceCollection().AddScoped<Visit>().AddPostrider(PLACE).BuildServiceProvider(true);
                for (var which = 0; which < 6; which++)
                    foreach (var place in new[] { "service", "constructor", "start", "handler", "dispose", "before", "after", "" })
                        foreach (var scoped in new[] { false, true })
                        {
                            var scope = provider.CreateAsyncScope();
                            var d = (scoped ? scope.ServiceProvider : provider).GetRequiredService<IDispatcher>();
                            var seen = "";
                            At.Place = place;
                            try { await All(d, which); await scope.DisposeAsync(); }
                            catch (Fault error) { seen = error.Message; }
                            At.Place = "";
                            try { await scope.DisposeAsync(); } catch (Fault) { }
                            if (seen != place) wrong.Add($"{which} {place} {scoped}: '{seen}'");
                            // A service that fails while it is made has nothing to end; of one that fails to end, the container leaves the rest.
                            if (place is "service" or "dispose") Visit.Made = Visit.Ended = 0;
                            if (Visit.Made != Visit.Ended) wrong.Add($"{which} {place} {scoped}: {Visit.Made} made, {Visit.Ended} ended");
                            Visit.Made = Visit.Ended = 0;
                            try { await All(d = provider.GetRequiredService<IDispatcher>(), which); } catch (Exception error) { wrong.Add($"{which} after {place}: {error.Message}"); }
                            Visit.Made = Visit.Ended = 0;
                        }
                return string.Join("\n", wrong);
            }
        }
        """;

    [Theory]
    [InlineData("")]
    [InlineData("o => o.Telemetry = true")]
    public async Task Exception_in_any_place_reaches_the_caller_and_ends_the_scope(string options)
    {
        var user = UserProject.Compile(Shop.Replace("PLACE", options, StringComparison.Ordinal));

        var wrong = await user.Run();

        Assert.True(wrong.Length == 0, wrong);
    }
}
