using System.Net;
using FlakyHttp;
using Postrider.Flow;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;
using Spectre.Console;

// Two operations call one unreliable server and share a circuit breaker, a rate limit and a retry budget.
await using var server = await FlakyServer.StartAsync();
using var http = new HttpClient { BaseAddress = server.Address };

var limiter = new RateLimiter(permitsPerSecond: 200, burst: 20);
var breaker = new CircuitBreaker(new CircuitBreakerOptions
{
    FailureThreshold = 3,
    OpenTime = TimeSpan.FromMilliseconds(250),
    Handle = failure => failure is not ServerFailedException { Status: HttpStatusCode.TooManyRequests },
    OnStateChange = (before, after) => AnsiConsole.MarkupLine($"[grey]{server.Calls,4} calls:[/] breaker {before} -> {after}"),
});
var client = new OrderClient(http, limiter);
var retries = 0;
var options = new FlowOptions
{
    MaxConcurrency = 16,
    RateLimit = limiter,
    CircuitBreaker = breaker,
    ItemTimeout = TimeSpan.FromSeconds(5),
    Deadline = TimeSpan.FromSeconds(60),
    Errors = ErrorMode.Skip,
    Retry = new RetryPolicy
    {
        MaxAttempts = 20,
        BaseDelay = TimeSpan.FromMilliseconds(50),
        MaxDelay = TimeSpan.FromSeconds(1),
        DelayHint = failure => (failure as ServerFailedException)?.RetryAfter ?? (failure as CircuitBreakerOpenException)?.RetryAfter,
        Budget = new RetryBudget(ratio: 0.2, reserve: 300),
    },
    Hooks = new FlowHooks
    {
        OnRetry = (_, _, _, _) =>
        {
            Interlocked.Increment(ref retries);
            return default;
        },
    },
};

var readers = await Task.WhenAll(
    Enumerable.Range(0, 200).SelectOutcomesAsync(client.ReadAsync, options),
    Enumerable.Range(200, 200).SelectOutcomesAsync(client.ReadAsync, options));

var table = new Table().Border(TableBorder.Rounded).AddColumn("reader").AddColumn("orders").AddColumn("first attempt").AddColumn("repeated").AddColumn("failed").AddColumn("slowest");
foreach (var (outcomes, i) in readers.Select((outcomes, i) => (outcomes, i)))
{
    table.AddRow(
        $"{i + 1}",
        $"{outcomes.Count(outcome => outcome.HasValue)}",
        $"{outcomes.Count(outcome => outcome is { HasValue: true, Attempts: 1 })}",
        $"{outcomes.Count(outcome => outcome is { HasValue: true, Attempts: > 1 })}",
        $"{outcomes.Count(outcome => !outcome.HasValue)}",
        $"{outcomes.Max(outcome => outcome.Duration).TotalSeconds:0.0} s");
}
AnsiConsole.Write(table);
AnsiConsole.WriteLine($"The server saw {server.Calls} calls for 400 orders. Of {retries} repeats the breaker stopped {400 + retries - server.Calls} before they reached it.");
return readers.Sum(outcomes => outcomes.Count(outcome => outcome.Reason == OutcomeReason.Succeeded)) == 400 ? 0 : 1;
