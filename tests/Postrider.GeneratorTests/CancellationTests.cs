namespace Postrider.GeneratorTests;

/// <summary>Cancellation of every form of call, in every place of it.</summary>
public sealed class CancellationTests
{
    private const string Shop = """
        using System.Runtime.CompilerServices;
        using Microsoft.Extensions.Hosting;
        using Microsoft.Extensions.Logging;
        public static class Program { public static void Main() { } }
        public static class At
        {
            public static string Place = "";
            public static TaskCompletionSource Entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
            public static CancellationToken Seen;
            public static async ValueTask Here(string place, CancellationToken ct)
            {
                if (Place == "before" && place == "handler") { Seen = ct; ct.ThrowIfCancellationRequested(); }
                if (Place != place) return;
                Seen = ct;
                Entered.TrySetResult();
                await Task.Delay(Timeout.Infinite, ct);
            }
        }
        public sealed class Visit : IAsyncDisposable
        {
            public static int Made, Ended;
            public Visit() => Interlocked.Increment(ref Made);
            public async ValueTask DisposeAsync() { await Task.Yield(); Interlocked.Increment(ref Ended); }
        }
        public interface IPiped; public interface IContexted; public interface IProcessed; public interface IHooked;
        public sealed partial record Bare : IQuery<int>;
        public sealed record NotPartial : IQuery<int>;
        public sealed partial record Scoped : IQuery<int>;
        public sealed partial record Piped : IQuery<int>, IPiped;
        public sealed partial record ContextPiped : ICommand, IContexted;
        public sealed partial record Processed : IQuery<int>, IProcessed;
        public sealed partial record Hooked : ICommand, IHooked;
        public sealed partial record Method : ICommand;
        public sealed partial record Told : INotification;
        public sealed partial record ToldPiped : INotification, IPiped;
        [Publish(PublishStrategy.SequentialContinue)] public sealed partial record ToldAll : INotification;
        [Publish(PublishStrategy.Parallel)] public sealed partial record ToldAtOnce : INotification;
        public sealed partial record Count : IStreamRequest<int>;
        public sealed partial record CountScoped : IStreamRequest<int>;
        public sealed partial record CountPiped : IStreamRequest<int>, IPiped;
        internal sealed class Handlers : IRequestHandler<Bare, int>, IRequestHandler<NotPartial, int>, IRequestHandler<Piped, int>, IRequestHandler<Processed, int>, ICommandHandler<ContextPiped>, ICommandHandler<Hooked>
        {
            private static async ValueTask<int> Wait(CancellationToken ct) { await At.Here("handler", ct); return 1; }
            public ValueTask<int> Handle(Bare q, CancellationToken ct) => Wait(ct);
            public ValueTask<int> Handle(NotPartial q, CancellationToken ct) => Wait(ct);
            public ValueTask<int> Handle(Piped q, CancellationToken ct) => Wait(ct);
            public ValueTask<int> Handle(Processed q, CancellationToken ct) => Wait(ct);
            public ValueTask Handle(ContextPiped q, CancellationToken ct) => At.Here("handler", ct);
            public ValueTask Handle(Hooked q, CancellationToken ct) => At.Here("handler", ct);
        }
        internal sealed class ScopedHandler(Visit visit) : IRequestHandler<Scoped, int>
        {
            public async ValueTask<int> Handle(Scoped q, CancellationToken ct) { await At.Here("handler", ct); return visit is null ? 0 : 1; }
        }
        internal static class Methods
        {
            [Handler] public static async Task On(Method m, MessageContext context, Visit visit) => await At.Here("handler", context.Cancellation);
            [Handler] public static async IAsyncEnumerable<int> On(Count c, [EnumeratorCancellation] CancellationToken ct) { yield return 1; await At.Here("handler", ct); yield return 2; }
            [Handler] public static async IAsyncEnumerable<int> On(CountScoped c, Visit visit, MessageContext context, [EnumeratorCancellation] CancellationToken ct) { yield return 1; await At.Here("handler", ct); yield return context is null ? 0 : 2; }
            [Handler] public static async IAsyncEnumerable<int> On(CountPiped c, [EnumeratorCancellation] CancellationToken ct) { yield return 1; await At.Here("handler", ct); yield return 2; }
        }
        internal sealed class OnTold(Visit visit) : INotificationHandler<Told>, INotificationHandler<ToldPiped>, INotificationHandler<ToldAll>, INotificationHandler<ToldAtOnce>
        {
            public ValueTask Handle(Told n, CancellationToken ct) => visit is null ? default : At.Here("handler", ct);
            public ValueTask Handle(ToldPiped n, CancellationToken ct) => At.Here("handler", ct);
            public ValueTask Handle(ToldAll n, CancellationToken ct) => At.Here("handler", ct);
            public ValueTask Handle(ToldAtOnce n, CancellationToken ct) => At.Here("handler", ct);
        }
        [Handler(Order = 1)] internal sealed class OnToldToo : INotificationHandler<ToldAll>, INotificationHandler<ToldAtOnce>
        {
            public ValueTask Handle(ToldAll n, CancellationToken ct) => At.Here("second", ct);
            public ValueTask Handle(ToldAtOnce n, CancellationToken ct) => At.Here("second", ct);
        }
        [Middleware] internal sealed class Around<Q, R> : IMiddleware<Q, R> where Q : IPiped
        {
            public async ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { await At.Here("middleware", ct); var r = await next.Invoke(q, ct); await At.Here("after", ct); return r; }
        }
        [Middleware] internal sealed class AroundContext<Q, R>(Visit visit) : IContextMiddleware<Q, R> where Q : IContexted
        {
            public async ValueTask<R> Handle(Q q, MessageContext context, Next<Q, R> next, CancellationToken ct) { await At.Here("middleware", context.Cancellation); var r = await next.Invoke(q, ct); await At.Here("after", ct); return visit is null ? default! : r; }
        }
        [Middleware] internal sealed class Processors<Q, R> : IPreProcessor<Q>, IPostProcessor<Q, R> where Q : IProcessed
        {
            public ValueTask Process(Q q, CancellationToken ct) => At.Here("middleware", ct);
            public ValueTask Process(Q q, R r, CancellationToken ct) => At.Here("after", ct);
        }
        [Middleware] internal sealed class Hooks<Q> : IFinallyHook<Q> where Q : IHooked
        {
            public static int Ran;
            public void Finally(Q q, Exception? error) { if (error is OperationCanceledException) Ran++; }
        }
        [Middleware] internal sealed class AroundStream<Q, I> : IStreamMiddleware<Q, I> where Q : IPiped
        {
            public async IAsyncEnumerable<I> Handle(Q q, NextStream<Q, I> next, [EnumeratorCancellation] CancellationToken ct) { await At.Here("middleware", ct); await foreach (var i in next.Invoke(q, ct)) yield return i; await At.Here("after", ct); }
        }
        public static class App
        {
            static async ValueTask All<T>(IAsyncEnumerable<T> items) { await foreach (var item in items) { } }
            static ValueTask Call(IDispatcher d, string form, CancellationToken ct) => form switch
            {
                "Bare" => Drop(d.SendAsync(new Bare(), ct)),
                "NotPartial" => Drop(d.SendAsync((IRequest<int>)new NotPartial(), ct)),
                "Object" => Drop(d.SendAsync((object)new Scoped(), ct)),
                "Typed" => Drop(d.SendAsync<int>((object)new Bare(), ct)),
                "Scoped" => Drop(d.SendAsync(new Scoped(), ct)),
                "Piped" => Drop(d.SendAsync(new Piped(), ct)),
                "ContextPiped" => d.SendAsync(new ContextPiped(), ct),
                "Processed" => Drop(d.SendAsync(new Processed(), ct)),
                "Hooked" => d.SendAsync(new Hooked(), ct),
                "Method" => d.SendAsync(new Method(), ct),
                "Told" => d.PublishAsync(new Told(), ct),
                "ToldPiped" => d.PublishAsync(new ToldPiped(), ct),
                "ToldAll" => d.PublishAsync(new ToldAll(), ct),
                "ToldAtOnce" => d.PublishAsync(new ToldAtOnce(), ct),
                "ToldObject" => d.PublishAsync((object)new ToldAtOnce(), ct),
                "Count" => All(d.StreamAsync(new Count(), ct)),
                "CountWith" => All(Enumerate(d.StreamAsync(new Count()), ct)),
                "CountScoped" => All(d.StreamAsync(new CountScoped(), ct)),
                "CountScopedWith" => All(Enumerate(d.StreamAsync(new CountScoped(), new CancellationTokenSource().Token), ct)),
                "CountPiped" => All(d.StreamAsync(new CountPiped(), ct)),
                "CountPipedWith" => All(Enumerate(d.StreamAsync(new CountPiped()), ct)),
                "CountObject" => All(d.StreamAsync((object)new CountPiped(), ct)),
                _ => throw new ArgumentException(form),
            };
            static async IAsyncEnumerable<T> Enumerate<T>(IAsyncEnumerable<T> items, CancellationToken ct) { await foreach (var item in items.WithCancellation(ct)) yield return item; }
            static async ValueTask Drop<T>(ValueTask<T> task) => await task;
            public static async Task<string> Run(string form, string place, bool inScope, bool telemetry)
            {
                await using var provider = new ServiceCollection().AddScoped<Visit>().AddPostrider(o => o.Telemetry = telemetry).BuildServiceProvider(true);
                await using var scope = provider.CreateAsyncScope();
                var d = (inScope ? scope.ServiceProvider : provider).GetRequiredService<IDispatcher>();
                At.Place = place;
                var takesVisit = form is "Scoped" or "Object" or "ContextPiped" or "Method" or "CountScoped" or "CountScopedWith" || form.StartsWith("Told");
                using var cancellation = new CancellationTokenSource();
                if (place == "before") cancellation.Cancel();
                var call = Call(d, form, cancellation.Token).AsTask();
                if (place != "before") { await Task.WhenAny(At.Entered.Task, call); cancellation.Cancel(); }
                var end = "went on";
                try { await call; }
                catch (OperationCanceledException e) { end = e.CancellationToken == At.Seen && At.Seen.IsCancellationRequested ? "cancelled" : "cancelled by another"; }
                catch (Exception e) { end = e.GetType().Name; }
                if (form == "Hooked" && Hooks<Hooked>.Ran != 1) end += ", no hook";
                At.Place = "";
                await Call(d, form, default);
                return end + (inScope || Visit.Made == Visit.Ended ? "" : $", {Visit.Made - Visit.Ended} scopes left") + (Visit.Made == 0 == takesVisit ? ", scopes not as expected" : "");
            }
        }
        """;

    private static readonly Lazy<UserProject> s_shop = new(() => UserProject.Compile(Shop));

    public static TheoryData<string, string> FormsAndPlaces
    {
        get
        {
            var data = new TheoryData<string, string>();
            foreach (var form in (string[])["Bare", "NotPartial", "Object", "Typed", "Scoped", "Hooked", "Method", "Told", "Count", "CountWith", "CountScoped", "CountScopedWith"])
            {
                data.Add(form, "before");
                data.Add(form, "handler");
            }

            foreach (var form in (string[])["Piped", "ContextPiped", "Processed", "ToldPiped", "CountPiped", "CountPipedWith", "CountObject"])
            {
                foreach (var place in (string[])["before", "middleware", "handler", "after"])
                    data.Add(form, place);
            }

            foreach (var form in (string[])["ToldAll", "ToldAtOnce", "ToldObject"])
            {
                foreach (var place in (string[])["before", "handler", "second"])
                    data.Add(form, place);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(FormsAndPlaces))]
    public async Task Cancelled_call_ends_with_the_callers_cancellation_wherever_it_waits_and_leaves_no_scope(string form, string place)
    {
        foreach (var (inScope, telemetry) in new[] { (false, false), (true, false), (false, true) })
            Assert.Equal("cancelled", await s_shop.Value.RunWith([form, place, inScope, telemetry]));
    }

    [Fact]
    public async Task Publish_whose_handlers_are_cancelled_and_fail_too_gathers_all_of_it()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            [Publish(PublishStrategy.SequentialContinue)] public sealed partial record InTurn : INotification;
            [Publish(PublishStrategy.Parallel)] public sealed partial record AtOnce : INotification;
            internal sealed class A : INotificationHandler<InTurn>, INotificationHandler<AtOnce>
            { public async ValueTask Handle(InTurn n, CancellationToken ct) { await Task.Yield(); ct.ThrowIfCancellationRequested(); } public ValueTask Handle(AtOnce n, CancellationToken ct) { ct.ThrowIfCancellationRequested(); return default; } }
            internal sealed class B : INotificationHandler<InTurn>, INotificationHandler<AtOnce>
            { public ValueTask Handle(InTurn n, CancellationToken ct) => throw new TimeoutException(); public async ValueTask Handle(AtOnce n, CancellationToken ct) { await Task.Yield(); throw new TimeoutException(); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    var cancelled = new CancellationToken(canceled: true);
                    return await Of(d.PublishAsync(new InTurn(), cancelled)) + " " + await Of(d.PublishAsync(new AtOnce(), cancelled));
                }
                static async Task<string> Of(ValueTask publish)
                {
                    try { await publish; return "none"; }
                    catch (AggregateException e) { return string.Join("+", e.InnerExceptions.Select(i => i.GetType().Name).Order()); }
                }
            }
            """);

        Assert.Equal("OperationCanceledException+TimeoutException OperationCanceledException+TimeoutException", await user.Run());
    }

    [Fact]
    public async Task Host_that_stops_waiting_cancels_the_background_gives_up_the_rest_and_is_not_held_by_a_handler_that_heeds_nothing()
    {
        var user = UserProject.Compile("""
            using Microsoft.Extensions.Hosting;
            using Microsoft.Extensions.Logging;
            using Postrider.Testing;
            public static class Program { public static void Main() { } }
            [Publish(PublishStrategy.Background)] public sealed partial record Told(int N) : INotification;
            public static class Gate { public static readonly TaskCompletionSource Heeds = new(), Deaf = new(), Open = new(); public static string Publishers = ""; }
            internal sealed class OnTold : INotificationHandler<Told>
            {
                public async ValueTask Handle(Told n, CancellationToken ct)
                {
                    Gate.Publishers += ct.IsCancellationRequested;
                    if (n.N == 1) { Gate.Heeds.SetResult(); await Task.Delay(Timeout.Infinite, ct); }
                    if (n.N == 3) { Gate.Deaf.SetResult(); await Gate.Open.Task; }
                }
            }
            public sealed class Lines : ILogger<Postrider.Dispatch.BackgroundQueue>
            {
                public readonly System.Collections.Concurrent.ConcurrentQueue<string> All = new();
                public IDisposable? BeginScope<T>(T state) where T : notnull => null;
                public bool IsEnabled(LogLevel level) => true;
                public void Log<T>(LogLevel level, EventId id, T state, Exception? e, Func<T, Exception?, string> format) => All.Enqueue(id.Id + ":" + level);
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var first = await Stopped(1, Gate.Heeds.Task, deaf: false);
                    var second = await Stopped(3, Gate.Deaf.Task, deaf: true);
                    Gate.Open.SetResult();
                    return first + " | " + second + " | " + Gate.Publishers;
                }
                static async Task<string> Stopped(int n, Task entered, bool deaf)
                {
                    var lines = new Lines();
                    var time = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<ILogger<Postrider.Dispatch.BackgroundQueue>>(lines).AddSingleton<TimeProvider>(time).AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    using var publisher = new CancellationTokenSource();
                    await d.PublishAsync(new Told(n), publisher.Token);
                    await d.PublishAsync(new Told(2), publisher.Token);
                    publisher.Cancel();
                    await entered;
                    using var host = new CancellationTokenSource();
                    var stop = provider.GetServices<IHostedService>().Single(static service => service.GetType().Name == "BackgroundQueue").StopAsync(host.Token);
                    var waits = !stop.IsCompleted;
                    host.Cancel();
                    while (deaf && !stop.IsCompleted) { time.Advance(TimeSpan.FromSeconds(1)); await Task.Yield(); }
                    await stop;
                    return waits + " " + string.Join(" ", lines.All);
                }
            }
            """);

        Assert.Equal("True 4:Warning 3:Warning | True 5:Error | FalseFalse", await user.Run());
    }

    [Fact]
    public async Task Wait_for_room_in_the_background_ends_with_the_publishers_cancellation_before_and_while_it_waits()
    {
        var user = UserProject.Compile("""
            using Microsoft.Extensions.Hosting;
            public static class Program { public static void Main() { } }
            public sealed partial record Work(int N) : ICommand;
            public static class Gate { public static readonly TaskCompletionSource Entered = new(), Open = new(); public static int Sum; }
            internal sealed class OnWork : ICommandHandler<Work> { public async ValueTask Handle(Work w, CancellationToken ct) { Gate.Entered.TrySetResult(); await Gate.Open.Task; Gate.Sum += w.N; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider(o => o.BackgroundQueueLength = 1).BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    var before = await Of(d.PostAsync(new Work(1), new CancellationToken(canceled: true)));
                    await d.PostAsync(new Work(2));
                    await Gate.Entered.Task;
                    await d.PostAsync(new Work(4));
                    using var publisher = new CancellationTokenSource();
                    var waiting = d.PostAsync(new Work(8), publisher.Token);
                    publisher.Cancel();
                    var during = await Of(waiting);
                    Gate.Open.SetResult();
                    foreach (var service in provider.GetServices<IHostedService>()) await service.StopAsync(default);
                    return $"{before} {during} {Gate.Sum}";
                }
                static async Task<bool> Of(ValueTask post) { try { await post; return false; } catch (OperationCanceledException) { return true; } }
            }
            """);

        Assert.Equal("True True 6", await user.Run());
    }
}
