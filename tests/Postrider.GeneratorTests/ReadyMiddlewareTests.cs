using Postrider.Resilience;

namespace Postrider.GeneratorTests;

/// <summary>The ready middleware, from a user's project.</summary>
public sealed class ReadyMiddlewareTests
{
    private const string Main = """
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) { lock (Lines) Lines.Add(line.ToString()!); } public static string All => string.Join(" ", Lines); }

        """;

    [Fact]
    public async Task Retry_repeats_after_the_policys_delay_and_gives_up_in_the_end()
    {
        var user = UserProject.Compile("""
            using Postrider.Resilience;
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(RetryMiddleware<,>))]

            """ + Main + """
            public sealed partial record Ask(int Failures) : IQuery<int>;
            public static class H { public static int Calls; [Handler] public static int On(Ask q) => ++Calls <= q.Failures ? throw new InvalidOperationException() : Calls; }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var clock = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<TimeProvider>(clock)
                        .AddSingleton(new RetryOptions { Policy = new() { MaxAttempts = 3, Backoff = Backoff.Constant, BaseDelay = TimeSpan.FromSeconds(10) } })
                        .AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    var asked = d.SendAsync(new Ask(2)).AsTask();
                    Log.Add(H.Calls);
                    clock.Advance(TimeSpan.FromSeconds(9));
                    Log.Add(H.Calls);
                    clock.Advance(TimeSpan.FromSeconds(1));
                    clock.Advance(TimeSpan.FromSeconds(10));
                    Log.Add("=" + await asked);
                    H.Calls = 0;
                    var hopeless = d.SendAsync(new Ask(9)).AsTask();
                    clock.Advance(TimeSpan.FromSeconds(10));
                    clock.Advance(TimeSpan.FromSeconds(10));
                    try { await hopeless; } catch (InvalidOperationException) { Log.Add("gave up after " + H.Calls); }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("1 1 =3 gave up after 3", await user.Run());
    }

    [Fact]
    public async Task Timeout_cancels_the_handler_and_leaves_the_callers_own_cancellation_alone()
    {
        var user = UserProject.Compile("""
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(TimeoutMiddleware<,>))]

            """ + Main + """
            public sealed partial record Slow : IQuery<int>;
            public sealed partial record Quick : IQuery<int>;
            public static class H
            {
                [Handler] public static async Task<int> On(Slow q, CancellationToken ct) { await Task.Delay(Timeout.Infinite, ct); return 1; }
                [Handler] public static int On(Quick q, CancellationToken ct) => ct.CanBeCanceled ? 2 : 0;
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var clock = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<TimeProvider>(clock)
                        .AddSingleton(new TimeoutOptions { ByMessage = type => type == typeof(Slow) ? TimeSpan.FromSeconds(5) : null })
                        .AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await d.SendAsync(new Quick()));
                    var slow = d.SendAsync(new Slow()).AsTask();
                    clock.Advance(TimeSpan.FromSeconds(5));
                    try { await slow; } catch (TimeoutException e) { Log.Add(e.Message); }
                    using var stop = new CancellationTokenSource();
                    slow = d.SendAsync(new Slow(), stop.Token).AsTask();
                    stop.Cancel();
                    try { await slow; } catch (OperationCanceledException) { Log.Add("cancelled"); }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("2 Slow exceeded the time limit of 00:00:05. cancelled", await user.Run());
    }

    [Fact]
    public async Task Cache_and_keys_that_last_for_ever_do()
    {
        var user = UserProject.Compile("""
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(CachingMiddleware<,>))]
            [assembly: UseMiddleware(typeof(IdempotencyMiddleware<,>))]

            """ + Main + """
            public sealed partial record Kept(string CacheKey) : IQuery<int>, ICacheable { public TimeSpan CacheFor => TimeSpan.MaxValue; }
            public sealed partial record Once(string IdempotencyKey) : ICommand<int>, IIdempotent;
            public static class H { static int s_kept, s_once; [Handler] public static int On(Kept q) => ++s_kept; [Handler] public static int On(Once c) => ++s_once; }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var clock = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<TimeProvider>(clock)
                        .AddSingleton(new IdempotencyOptions { RememberFor = TimeSpan.MaxValue }).AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    for (var i = 0; i < 2; i++)
                    {
                        Log.Add(await d.SendAsync(new Kept("a")));
                        Log.Add(await d.SendAsync(new Once("a")));
                        clock.Advance(TimeSpan.FromDays(3650));
                    }

                    return Log.All;
                }
            }
            """);

        Assert.Equal("1 1 1 1", await user.Run());
    }

    [Fact]
    public async Task Message_that_would_wait_for_itself_is_refused()
    {
        var user = UserProject.Compile("""
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(IdempotencyMiddleware<,>))]

            """ + Main + """
            public sealed partial record Once(string IdempotencyKey, string Next) : ICommand<int>, IIdempotent;
            public sealed class H(IServiceProvider services)
            {
                [Handler] public async ValueTask<int> On(Once c) => c.Next.Length == 0 ? 1 : 1 + await services.GetRequiredService<IDispatcher>().SendAsync(new Once(c.Next, ""));
            }

            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await d.SendAsync(new Once("a", "b")));
                    try { await d.SendAsync(new Once("c", "c")); Log.Add("nothing"); } catch (PostriderException e) { Log.Add(e.Error + ": " + e.Message); }
                    return Log.All;
                }
            }
            """);

        Assert.Equal(
            "2 Configuration: The handling of Once with the idempotency key 'c' sends a message with the same key, which would wait for itself.",
            await user.Run());
    }

    [Fact]
    public async Task Further_idempotency_keys_are_refused_until_one_is_forgotten()
    {
        var user = UserProject.Compile("""
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(IdempotencyMiddleware<,>))]

            """ + Main + """
            public sealed partial record Once(string IdempotencyKey) : ICommand<int>, IIdempotent;
            public static class H { private static int s_count; [Handler] public static int On(Once c) => ++s_count; }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var clock = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<TimeProvider>(clock)
                        .AddSingleton(new IdempotencyOptions { MaxKeys = 2, RememberFor = TimeSpan.FromMinutes(1) }).AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    foreach (var key in new[] { "a", "b", "c", "a" })
                    {
                        try { Log.Add(await d.SendAsync(new Once(key))); } catch (PostriderException e) { Log.Add(e.Error + ": " + e.Message); }
                    }
                    clock.Advance(TimeSpan.FromMinutes(1));
                    Log.Add(await d.SendAsync(new Once("c")));
                    return string.Join("\n", Log.Lines);
                }
            }
            """);

        Assert.Equal("""
            1
            2
            QueueFull: 2 idempotency keys of Once are remembered, the maximum set by IdempotencyOptions.MaxKeys.
            1
            3
            """, await user.Run());
    }

    [Fact]
    public async Task Bad_options_and_keys_are_named()
    {
        var user = UserProject.Compile("""
            using Postrider.Middleware;
            using Postrider.Dispatch;
            [assembly: UseMiddleware(typeof(CachingMiddleware<,>))]
            [assembly: UseMiddleware(typeof(IdempotencyMiddleware<,>))]
            [assembly: UseMiddleware(typeof(RateLimitMiddleware<Quick, int>))]
            [assembly: UseMiddleware(typeof(TimeoutMiddleware<Quick, int>))]
            [assembly: UseMiddleware(typeof(RetryMiddleware<Quick, int>))]

            """ + Main + """
            public sealed partial record Kept(string CacheKey) : IQuery<int>, ICacheable { public TimeSpan CacheFor => TimeSpan.MaxValue; }
            public sealed partial record Once(string IdempotencyKey) : ICommand<int>, IIdempotent;
            public sealed partial record Quick : IQuery<int>;
            public static class H { [Handler] public static int On(Kept q) => 1; [Handler] public static int On(Once c) => 1; [Handler] public static int On(Quick q) => 1; }
            public static class App
            {
                private static async Task Try(Func<IDispatcher, Task> send, params object[] options)
                {
                    var services = new ServiceCollection();
                    foreach (var option in options) services.AddSingleton(option.GetType(), option);
                    await using var provider = services.AddPostrider().BuildServiceProvider(true);
                    try { await send(provider.GetRequiredService<IDispatcher>()); Log.Add("nothing"); } catch (PostriderException e) { Log.Add(e.Error + ": " + e.Message); } catch (ArgumentException e) { Log.Add(e.Message); }
                }

                private static void Set(Action<DispatchOptions> set)
                {
                    try { set(new DispatchOptions()); Log.Add("nothing"); } catch (ArgumentException e) { Log.Add(e.ParamName!); } catch (PostriderException e) { Log.Add(e.Error + ": " + e.Message); }
                }

                public static async Task<string> Run()
                {
                    await Try(d => d.SendAsync(new Kept("a")).AsTask(), new CachingOptions { MaxEntries = 0 });
                    await Try(d => d.SendAsync(new Kept(null!)).AsTask());
                    await Try(d => d.SendAsync(new Once("a")).AsTask(), new IdempotencyOptions { RememberFor = TimeSpan.FromTicks(-1) });
                    await Try(d => d.SendAsync(new Once("a")).AsTask(), new IdempotencyOptions { MaxKeys = 0 });
                    await Try(d => d.SendAsync(new Once(null!)).AsTask());
                    await Try(d => d.SendAsync(new Quick()).AsTask(), new RateLimitOptions { MaxWait = Timeout.InfiniteTimeSpan });
                    await Try(d => d.SendAsync(new Quick()).AsTask(), new TimeoutOptions { After = TimeSpan.MaxValue });
                    await Try(d => d.SendAsync(new Quick()).AsTask(), new RetryOptions { Policy = new() { MaxAttempts = 0 } });
                    Set(o => o.BackgroundQueueLength = 0);
                    Set(o => o.DefaultStrategy = (PublishStrategy)9);
                    Set(o => o.Replace<Quick, int>(null!));
                    Set(o => o.ReplaceCommand<Quick>(null!));
                    Set(o => o.ReplaceNotification<Quick>(null!));
                    Set(o => o.ReplaceStream<Quick, int>(null!));
                    Set(o => o.Route<Quick, int>((System.Func<System.IServiceProvider, Postrider.Transports.ITransport>)null!, null!, "far"));
                    return string.Join("\n", Log.Lines);
                }
            }
            """);

        Assert.Equal("""
            Configuration: CachingOptions.MaxEntries of Kept is 0; it must be at least 1.
            Configuration: The cache key of Kept is null.
            Configuration: IdempotencyOptions.RememberFor of Once is -00:00:00.0000001; it must not be negative.
            Configuration: IdempotencyOptions.MaxKeys of Once is 0; it must be at least 1.
            Configuration: The idempotency key of Once is null.
            Configuration: RateLimitOptions.MaxWait of Quick is -00:00:00.0010000; it must not be negative.
            Configuration: The time limit of Quick is 10675199.02:48:05.4775807; it must be above zero and at most 49.17:02:47.2940000.
            RetryPolicy.MaxAttempts is 0; it counts the first attempt and must be at least 1.
            Configuration: BackgroundQueueLength is 0; it must be at least 1.
            Configuration: DefaultStrategy is 9, which is not a PublishStrategy.
            handler
            handler
            handler
            handler
            transport
            """, await user.Run());
    }

    [Fact]
    public async Task Circuit_breaker_refuses_what_keeps_failing_until_a_probe_succeeds()
    {
        var user = UserProject.Compile("""
            using Postrider.Resilience;
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(CircuitBreakerMiddleware<,>))]

            """ + Main + """
            public sealed partial record Ask(bool Fails) : IQuery<int>;
            public static class H { public static int Calls; [Handler] public static int On(Ask q) { Calls++; return q.Fails ? throw new InvalidOperationException() : Calls; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var clock = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<TimeProvider>(clock)
                        .AddSingleton(new CircuitBreakerMiddlewareOptions { Options = new() { FailureThreshold = 2, OpenTime = TimeSpan.FromSeconds(30), SuccessThreshold = 1 } })
                        .AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    for (var i = 0; i < 4; i++)
                        try { await d.SendAsync(new Ask(true)); } catch (InvalidOperationException) { Log.Add("failed"); } catch (CircuitBreakerOpenException e) { Log.Add(e.State); }
                    clock.Advance(TimeSpan.FromSeconds(30));
                    Log.Add(await d.SendAsync(new Ask(false)));
                    Log.Add(await d.SendAsync(new Ask(false)));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("failed failed Open Open 3 4", await user.Run());
    }

    [Fact]
    public async Task Rate_limit_lets_the_burst_pass_has_the_next_wait_and_refuses_the_rest()
    {
        var user = UserProject.Compile("""
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(RateLimitMiddleware<,>))]

            """ + Main + """
            public sealed partial record Ask : IQuery<int>;
            public static class H { public static int Calls; [Handler] public static int On(Ask q) => ++Calls; }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var clock = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<TimeProvider>(clock)
                        .AddSingleton(new RateLimitOptions { Permits = 1, Per = TimeSpan.FromSeconds(10), Burst = 2, MaxWait = TimeSpan.FromSeconds(10) })
                        .AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await d.SendAsync(new Ask()));
                    Log.Add(await d.SendAsync(new Ask()));
                    var waits = d.SendAsync(new Ask()).AsTask();
                    try { await d.SendAsync(new Ask()); } catch (PostriderException e) { Log.Add(e.Error); }
                    Log.Add(waits.IsCompleted);
                    clock.Advance(TimeSpan.FromSeconds(10));
                    Log.Add(await waits);
                    return Log.All;
                }
            }
            """);

        Assert.Equal("1 2 Refused False 3", await user.Run());
    }

    [Fact]
    public async Task Authorization_transaction_and_logging_stand_around_the_handler()
    {
        var user = UserProject.Compile("""
            using System.Security.Claims;
            using Microsoft.Extensions.Logging;
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(LoggingMiddleware<,>), Order = 1)]
            [assembly: UseMiddleware(typeof(AuthorizationMiddleware<,>), Order = 2)]
            [assembly: UseMiddleware(typeof(TransactionMiddleware<,>), Order = 3)]

            """ + Main + """
            public sealed partial record Pay(int Sum) : ICommand<int>, ITransactional;
            public static class H { [Handler] public static int On(Pay c) => c.Sum < 0 ? throw new InvalidOperationException("negative") : c.Sum; }
            public sealed class Guard : IAuthorizer<Pay> { public ValueTask<bool> Allows(Pay m, ClaimsPrincipal? user, CancellationToken ct) => new(user?.Identity?.Name == "ann"); }
            public sealed class Source : ITransactionSource { public ValueTask<ITransaction> Begin(CancellationToken ct) { Log.Add("begin"); return new(new Transaction()); } }
            public sealed class Transaction : ITransaction
            {
                public ValueTask Commit(CancellationToken ct) { Log.Add("commit"); return default; }
                public ValueTask DisposeAsync() { Log.Add("end"); return default; }
            }
            public sealed class Lines : ILoggerProvider, ILogger
            {
                public ILogger CreateLogger(string name) => this;
                public void Dispose() { }
                public IDisposable? BeginScope<T>(T state) where T : notnull => null;
                public bool IsEnabled(LogLevel level) => true;
                public void Log<T>(LogLevel level, EventId id, T state, Exception? e, Func<T, Exception?, string> text) => global::Log.Add(level);
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddLogging(b => b.AddProvider(new Lines()).SetMinimumLevel(LogLevel.Trace))
                        .AddSingleton<IAuthorizer<Pay>, Guard>().AddScoped<ITransactionSource, Source>().AddPostrider().BuildServiceProvider(true);
                    var factory = provider.GetRequiredService<DispatcherFactory>();
                    var ann = factory.Make(new CallOrigin { User = new(new ClaimsIdentity([new(ClaimTypes.Name, "ann")], "test")) });
                    Log.Add(await ann.SendAsync(new Pay(5)));
                    try { await ann.SendAsync(new Pay(-1)); } catch (InvalidOperationException e) { Log.Add(e.Message); }
                    try { await provider.GetRequiredService<IDispatcher>().SendAsync(new Pay(5)); } catch (PostriderException e) { Log.Add(e.Error); }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("begin commit end Debug 5 begin end Error negative Information Refused", await user.Run());
    }

    [Fact]
    public async Task Validator_may_be_a_delegate()
    {
        var user = UserProject.Compile("""
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(ValidationMiddleware<,>))]

            """ + Main + """
            public sealed partial record Ask(int N) : IQuery<int>;
            public static class H { [Handler] public static int On(Ask q) => q.N; }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection()
                        .AddValidator<Ask>(ask => ask.N < 10 ? [] : [new("N", ask.N + " is not below 10.")]).AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await d.SendAsync(new Ask(1)));
                    try { await d.SendAsync(new Ask(11)); } catch (InvalidMessageException e) { Log.Add(e.Message); }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("1 The message is not valid: N: 11 is not below 10.", await user.Run());
    }

    [Fact]
    public async Task Telemetry_for_chosen_messages_measures_them_and_no_other()
    {
        var user = UserProject.Compile("""
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(TelemetryMiddleware<Ask, int>))]

            """ + Main + """
            public sealed partial record Ask : IQuery<int>;
            public sealed partial record Other : IQuery<int>;
            public static class H { [Handler] public static int On(Ask q) => 1; [Handler] public static int On(Other q) => 2; }
            public static class App
            {
                public static async Task<string> Run()
                {
                    using var meters = new System.Diagnostics.Metrics.MeterListener();
                    meters.InstrumentPublished = (instrument, l) => { if (instrument.Meter.Name == "Postrider") l.EnableMeasurementEvents(instrument); };
                    meters.SetMeasurementEventCallback<double>((i, v, tags, s) => { foreach (var tag in tags) if (tag.Key == "messaging.destination.name" && (string)tag.Value! is "Ask" or "Other") Log.Add(i.Name + ":" + tag.Value); });
                    meters.Start();
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await d.SendAsync(new Ask()));
                    Log.Add(await d.SendAsync(new Other()));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("messaging.process.duration:Ask 1 2", await user.Run());
    }
}
