using System.Net;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Resilience;
using Postrider.Resilience.Http;

namespace Postrider.HostingTests.Resilience;

/// <summary>A client of the factory against Kestrel.</summary>
public sealed class ResilienceHandlerTests : IAsyncLifetime
{
    private static readonly RetryPolicy Quick = new() { BaseDelay = TimeSpan.FromMilliseconds(1), Backoff = Backoff.Constant, MaxDelay = TimeSpan.FromSeconds(5) };

    private readonly List<string> _bodies = [];
    private WebApplication _server = null!;
    private Func<int, HttpContext, Task> _answer = static (_, _) => Task.CompletedTask;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseSetting("urls", "http://127.0.0.1:0");
        _server = builder.Build();
        _server.Run(async http =>
        {
            int number;
            using var reader = new StreamReader(http.Request.Body);
            var body = await reader.ReadToEndAsync(http.RequestAborted);
            lock (_bodies)
            {
                _bodies.Add(body);
                number = _bodies.Count;
            }

            await _answer(number, http);
        });
        await _server.StartAsync(Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData(408)]
    [InlineData(429)]
    [InlineData(500)]
    [InlineData(502)]
    [InlineData(503)]
    [InlineData(504)]
    public async Task Passing_failure_is_tried_again(int status)
    {
        Fail(status, times: 2);
        using var http = Client(new HttpResilienceOptions { Retry = Quick });

        using var response = await http.GetAsync("/", Ct);

        Assert.Equal((HttpStatusCode.OK, 3), (response.StatusCode, _bodies.Count));
    }

    [Theory]
    [InlineData(400)]
    [InlineData(404)]
    [InlineData(501)]
    public async Task Final_failure_is_returned_at_once(int status)
    {
        Fail(status, times: 1);
        using var http = Client(new HttpResilienceOptions { Retry = Quick });

        using var response = await http.GetAsync("/", Ct);

        Assert.Equal((status, 1), ((int)response.StatusCode, _bodies.Count));
    }

    [Fact]
    public async Task Last_answer_is_returned_when_the_attempts_are_used_up()
    {
        Fail(503, times: 10);
        using var http = Client(new HttpResilienceOptions { Retry = Quick with { MaxAttempts = 4 } });

        using var response = await http.GetAsync("/", Ct);

        Assert.Equal((HttpStatusCode.ServiceUnavailable, 4), (response.StatusCode, _bodies.Count));
    }

    [Fact]
    public async Task Body_is_sent_again_whole()
    {
        Fail(503, times: 1);
        using var http = Client(new HttpResilienceOptions { Retry = Quick });

        using var response = await http.PutAsync("/", new StringContent("tea", Encoding.UTF8), Ct);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(["tea", "tea"], _bodies);
    }

    [Theory]
    [InlineData(false, null, 1)]
    [InlineData(false, "order-1", 2)]
    [InlineData(true, null, 2)]
    public async Task Post_is_repeated_only_where_that_is_safe(bool retryUnsafe, string? key, int expected)
    {
        Fail(503, times: 1);
        using var http = Client(new HttpResilienceOptions { Retry = Quick, RetryUnsafeMethods = retryUnsafe });
        using var request = new HttpRequestMessage(HttpMethod.Post, "/") { Content = new StringContent("tea", Encoding.UTF8) };
        if (key is not null)
            request.Headers.Add("Idempotency-Key", key);

        using var response = await http.SendAsync(request, Ct);

        Assert.Equal(expected, _bodies.Count);
    }

    [Fact]
    public async Task Body_larger_than_what_is_kept_is_sent_once()
    {
        Fail(503, times: 1);
        using var http = Client(new HttpResilienceOptions { Retry = Quick, MaxBufferedBytes = 2 });

        using var response = await http.PutAsync("/", new StringContent("tea", Encoding.UTF8), Ct);

        Assert.Equal((HttpStatusCode.ServiceUnavailable, 1), (response.StatusCode, _bodies.Count));
    }

    [Fact]
    public async Task Server_that_asks_for_more_time_than_allowed_is_not_asked_again()
    {
        _answer = static (_, http) =>
        {
            http.Response.StatusCode = 429;
            http.Response.Headers.RetryAfter = "3600";
            return Task.CompletedTask;
        };
        using var http = Client(new HttpResilienceOptions { Retry = Quick });

        using var response = await http.GetAsync("/", Ct);

        Assert.Equal((HttpStatusCode.TooManyRequests, 1), (response.StatusCode, _bodies.Count));
    }

    [Fact]
    public async Task Attempt_has_a_time_limit_of_its_own()
    {
        _answer = static (number, http) => number == 1 ? Task.Delay(Timeout.Infinite, http.RequestAborted) : Task.CompletedTask;
        using var http = Client(new HttpResilienceOptions { Retry = Quick, AttemptTimeout = TimeSpan.FromSeconds(1) });

        using var response = await http.GetAsync("/", Ct);

        Assert.Equal((HttpStatusCode.OK, 2), (response.StatusCode, _bodies.Count));
    }

    [Fact]
    public async Task Attempt_without_retries_ends_with_its_time_limit()
    {
        _answer = static (_, http) => Task.Delay(Timeout.Infinite, http.RequestAborted);
        using var http = Client(new HttpResilienceOptions { Retry = null, AttemptTimeout = TimeSpan.FromMilliseconds(200) });

        var failure = await Assert.ThrowsAsync<TimeoutException>(() => http.GetAsync("/?token=secret", Ct));

        Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Callers_cancellation_is_no_failure_of_the_service()
    {
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _answer = (_, http) =>
        {
            asked.TrySetResult();
            return Task.Delay(Timeout.Infinite, http.RequestAborted);
        };
        var breaker = new CircuitBreaker(new CircuitBreakerOptions { FailureThreshold = 1 });
        using var http = Client(new HttpResilienceOptions { Retry = Quick, CircuitBreaker = breaker });
        using var cancel = new CancellationTokenSource();
        var running = http.GetAsync("/", cancel.Token);
        await asked.Task.WaitAsync(Ct);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        Assert.Equal((CircuitBreakerState.Closed, 1), (breaker.State, _bodies.Count));
    }

    [Fact]
    public async Task Breaker_opens_and_refuses_without_sending()
    {
        Fail(500, times: 100);
        var breaker = new CircuitBreaker(new CircuitBreakerOptions { FailureThreshold = 2, OpenTime = TimeSpan.FromHours(1) });
        using var http = Client(new HttpResilienceOptions { Retry = Quick with { MaxAttempts = 2 }, CircuitBreaker = breaker });

        (await http.GetAsync("/", Ct)).Dispose();
        await Assert.ThrowsAsync<CircuitBreakerOpenException>(() => http.GetAsync("/", Ct));

        Assert.Equal(2, _bodies.Count);
    }

    [Fact]
    public async Task Bulkhead_limits_what_runs_at_once_and_gives_its_places_back()
    {
        var (running, most) = (0, 0);
        _answer = async (_, _) =>
        {
            var now = Interlocked.Increment(ref running);
            InterlockedMax(ref most, now);
            await Task.Yield();
            Interlocked.Decrement(ref running);
        };
        var bulkhead = new Bulkhead(2);
        using var http = Client(new HttpResilienceOptions { Bulkhead = bulkhead });

        await Task.WhenAll(Enumerable.Range(0, 50).Select(async _ => (await http.GetAsync("/", Ct)).Dispose()));

        Assert.InRange(most, 1, 2);
        Assert.Equal(0, bulkhead.Used);
    }

    [Fact]
    public void Wrong_options_are_named()
    {
        Assert.Contains("MaxAttempts is 0", Assert.Throws<ArgumentException>(() => new ResilienceHandler(new HttpResilienceOptions { Retry = new RetryPolicy { MaxAttempts = 0 } })).Message, StringComparison.Ordinal);
        Assert.Contains("MaxBufferedBytes is -1", Assert.Throws<ArgumentException>(() => new ResilienceHandler(new HttpResilienceOptions { MaxBufferedBytes = -1 })).Message, StringComparison.Ordinal);
        Assert.Contains("AttemptTimeout is 00:00:00", Assert.Throws<ArgumentException>(() => new ResilienceHandler(new HttpResilienceOptions { AttemptTimeout = TimeSpan.Zero })).Message, StringComparison.Ordinal);
    }

    private static void InterlockedMax(ref int location, int value)
    {
        for (var seen = Volatile.Read(ref location); value > seen;)
        {
            var before = Interlocked.CompareExchange(ref location, value, seen);
            if (before == seen)
                return;
            seen = before;
        }
    }

    private void Fail(int status, int times) => _answer = (number, http) =>
    {
        http.Response.StatusCode = number <= times ? status : 200;
        return Task.CompletedTask;
    };

    private HttpClient Client(HttpResilienceOptions options)
    {
        var services = new ServiceCollection();
        services.AddHttpClient("server").AddPostriderResilience(options);
        var http = services.BuildServiceProvider().GetRequiredService<IHttpClientFactory>().CreateClient("server");
        http.BaseAddress = new Uri(_server.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First());
        return http;
    }
}
