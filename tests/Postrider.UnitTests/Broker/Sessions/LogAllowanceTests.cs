using System.Text;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed class LogAllowanceTests : IDisposable
{
    private const string Omission = "Clients of account $G cause more than 20 errors in a second: the rest of this second's is not logged";

    private readonly TestClock _clock = new();
    private readonly LogRecorder _log = new();

    [Theory]
    [InlineData("PUB secret 0\r\n\r\n", "Permissions Violation for Publish to \"secret\"", "Permissions Violation for Publish to \"secret\"")]
    [InlineData("SUB secret 1\r\n", "Permissions Violation for Subscription to \"secret\"", "Subscription Violation - Subject \"secret\"")]
    [InlineData("PUB open $JS.ACK.x 0\r\n\r\n", "Permissions Violation for Publish with Reply of \"$JS.ACK.x\"", "Permissions Violation for Publish with Reply of \"$JS.ACK.x\"")]
    public async Task All_refusals_are_answered_and_the_first_of_each_second_logged(string frame, string answer, string line)
    {
        var client = Harness().Connect("""{"user":"ann","pass":"secret","verbose":false}""");

        await RepeatAsync(client, frame, answer, LogAllowance.LinesPerSecond + 30);

        Assert.Equal(LogAllowance.LinesPerSecond, Logged(line));
        Assert.Equal(1, Logged(Omission));

        _clock.Advance(TimeSpan.FromSeconds(1));
        await RepeatAsync(client, frame, answer, 3);

        Assert.Equal(LogAllowance.LinesPerSecond + 3, Logged(line));
        Assert.Equal(1, Logged(Omission));
    }

    [Fact]
    public async Task Client_that_connects_again_gets_no_further_lines()
    {
        var harness = Harness();

        for (var i = 0; i < 5; i++)
            await RepeatAsync(harness.Connect("""{"user":"ann","pass":"secret","verbose":false}"""), "PUB secret 0\r\n\r\n", "Permissions Violation for Publish to \"secret\"", 10);

        Assert.Equal(LogAllowance.LinesPerSecond, Logged("Permissions Violation"));
        Assert.Equal(1, Logged(Omission));
    }

    public void Dispose() => _log.Dispose();

    private SessionHarness Harness() => new(
        new BrokerOptions
        {
            TimeProvider = _clock,
            Authorization = new AuthorizationOptions
            {
                Users = [new UserOptions { Name = "ann", Password = "secret", Permissions = new PermissionOptions
                {
                    Publish = new SubjectPermission { Deny = ["secret"] },
                    Subscribe = new SubjectPermission { Deny = ["secret"] },
                } }],
            },
        },
        logger: _log);

    private int Logged(string text) => _log.Entries.Count(entry => entry.Level >= LogLevel.Warning && entry.Text.Contains(text, StringComparison.Ordinal));

    private static async Task RepeatAsync(SessionHarness.Client client, string frame, string answer, int times)
    {
        client.Send(new StringBuilder().Insert(0, frame, times).ToString());

        Assert.Equal(times, (await client.FlushAsync()).Split($"-ERR '{answer}'\r\n").Length - 1);
    }
}
