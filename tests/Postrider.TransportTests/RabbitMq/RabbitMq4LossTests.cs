using Microsoft.Extensions.Logging;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;
using RabbitMQ.Client;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMq4LossTests(RabbitMq4Harness harness) : RabbitMqLossCases(harness), IClassFixture<RabbitMq4Harness>
{
    [Fact]
    public async Task Message_above_the_limit_of_the_server_fails_as_too_large()
    {
        await using var transport = new RabbitMqTransport(Harness.Options with { Poison = new() { MaxBodyBytes = 32 * 1024 * 1024 } });
        await transport.ApplyAsync(new RabbitMqBinding(Queue), Ct);

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender(Queue).SendAsync(default, new byte[17 * 1024 * 1024], Ct));

        Assert.Equal(PostriderError.TooLarge, refused.Error);
        Assert.Contains("16777216", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(21, null, "Retry.MaxAttempts is 21, and the server drops a message after 20 deliveries that nobody acknowledged (the default of RabbitMQ 4): set DeliveryLimit to at least MaxAttempts, or lower MaxAttempts.")]
    [InlineData(31, 30, "Retry.MaxAttempts is 31, and the server drops a message after 30 deliveries that nobody acknowledged (DeliveryLimit): set DeliveryLimit to at least MaxAttempts, or lower MaxAttempts.")]
    public async Task More_attempts_than_deliveries_are_refused_at_the_start(int attempts, int? limit, string expected)
    {
        var binding = new RabbitMqBinding(Queue) { Retry = TransportHarness.Quick with { MaxAttempts = attempts }, DeliveryLimit = limit, DeclaresTopology = false };
        await Harness.RabbitMq.ApplyAsync(new RabbitMqBinding(Queue), Ct);

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await Harness.RabbitMq.ListenAsync(binding, static (_, _) => default, Ct));

        Assert.Equal((PostriderError.Configuration, $"The binding of '{Queue}' is not valid: {expected}"), (refused.Error, refused.Message));
    }

    [Theory]
    [InlineData(30)]
    [InlineData(-1)]
    [InlineData(null)]
    public async Task Message_that_ends_its_process_each_time_becomes_a_dead_letter_after_the_attempts_of_its_binding(int? limit)
    {
        var binding = new RabbitMqBinding(Queue) { DeadLetter = $"{Queue}-dead", Retry = TransportHarness.Quick with { MaxAttempts = 25 }, DeliveryLimit = limit };
        await Harness.RabbitMq.ApplyAsync(binding, Ct);
        await Harness.RabbitMq.OpenSender(Queue).SendAsync(default, "x"u8.ToArray(), Ct);
        for (var i = 0; i < 25; i++)
        {
            await using var channel = await Harness.OpenChannelAsync();
            await Eventually.GivesAsync(async () => await channel.BasicGetAsync(Queue, autoAck: false, Ct));
        }

        var isHandled = false;
        await using var listener = await Harness.RabbitMq.ListenAsync(
            binding,
            (_, _) =>
            {
                isHandled = true;
                return default;
            },
            Ct);
        var letter = await Eventually.GivesAsync(async () =>
        {
            await foreach (var found in Harness.RabbitMq.OpenDeadLetters($"{Queue}-dead").ListAsync(DeadLetterQuery.All, Ct))
                return found;
            return null;
        });

        Assert.Equal((DeadLetterReason.Unanswered, 26L), (letter.Reason, letter.Deliveries));
        Assert.False(isHandled);
    }

    [Fact]
    public async Task Queue_that_exists_with_the_limit_of_the_server_is_used_and_the_log_says_what_that_means()
    {
        var lines = new LogRecorder();
        using var loggers = LoggerFactory.Create(builder => builder.AddProvider(lines));
        await using var transport = new RabbitMqTransport(Harness.Options, loggers: loggers);
        var binding = new RabbitMqBinding(Queue) { Retry = TransportHarness.Quick with { MaxAttempts = 21 } };
        await transport.ApplyAsync(new RabbitMqBinding(Queue), Ct);

        var plan = await transport.PlanAsync(binding, Ct);
        await using var listener = await transport.ListenAsync(binding, static (_, _) => default, Ct);

        Assert.Empty(plan);
        Assert.Contains($"Queue '{Queue}' exists with the limit of the server, which drops a message after 20 deliveries that nobody acknowledged; its binding has 21 attempts. Set a policy with delivery-limit -1 for the queue, or delete it while it is empty.", lines.Lines);
    }
}
