using System.Text;
using Microsoft.Extensions.Logging;
using Postrider.Outbox;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class BatchSenderTests
{
    [Theory]
    [InlineData(0, "Warning: Message m-1 to 'nowhere' on transport 'wire' could not be sent (attempt 1) and waits in the outbox for another attempt. PostriderException: There is no queue 'nowhere'.")]
    [InlineData(9, "Error: Message m-1 to 'nowhere' on transport 'wire' could not be sent after 10 attempts and stays in the outbox as a dead letter. PostriderException: There is no queue 'nowhere'.")]
    public async Task Failed_attempt_is_a_line_with_its_reason(int attempts, string expected)
    {
        using var log = new LogRecorder(LogLevel.Information);
        var wire = new BreakableTransport(TimeProvider.System) { Fault = static (_, _) => new PostriderException(PostriderError.NoListener, "There is no queue 'nowhere'.") };
        var sender = new BatchSender(wire, "wire", new OutboxOptions(), TimeProvider.System, log);
        var message = new OutboxMessage { Id = "m-1", Transport = "wire", Destination = "nowhere", Headers = "[]", Body = Encoding.UTF8.GetBytes("{}"), Attempts = attempts };

        await sender.SendAsync([message], static () => true, TimeSpan.FromSeconds(30));

        Assert.Equal([expected], log.Entries.Select(static entry => $"{entry.Level}: {entry.Text}{entry.Exception}"));
    }
}
