using System.Diagnostics;
using Postrider.TransportTests.ServiceBus.StandIn;

namespace Postrider.TransportTests.ServiceBus;

/// <summary>Microsoft's JavaScript client against the stand-in: what the adapter is tested with is not made to its measure.</summary>
public sealed class MicrosoftClientTests
{
    [Fact]
    public async Task Client_of_Microsoft_passes_its_eleven_steps()
    {
        // The client expects the answer to its open behind its own.
        await using var standIn = new ServiceBusStandIn { OpenDelay = TimeSpan.FromMilliseconds(150) };
        foreach (var queue in (string[])["plain", "batches", "poison", "locks", "later"])
            standIn.CreateQueue(queue);
        standIn.CreateQueue("twice", new StandInSettings { MaxDeliveryCount = 2 });
        standIn.CreateQueue("sessions", new StandInSettings { RequiresSession = true });

        var told = await RunAsync("service-bus.mjs", standIn.ConnectionString, standIn.ConnectionStringOf(standIn.Port, "d3Jvbmcga2V5"));

        string[] expected =
        [
            "ok send", "ok receive and complete", "ok batch and abandon with properties", "ok dead letter with reason", "ok max delivery count", "ok renew lock",
            "ok schedule", "ok cancel", "ok sessions by id and next", "ok missing entity", "ok wrong key",
        ];
        Assert.Equal(expected, told);
    }

    private static async Task<string[]> RunAsync(string script, params string[] arguments)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(120));
        var start = new ProcessStartInfo("node") { RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add(Checkout.PathOf("tests", "Postrider.TransportTests", "node", script));
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        using var node = Process.Start(start)!;
        var (output, errors) = (node.StandardOutput.ReadToEndAsync(patience.Token), node.StandardError.ReadToEndAsync(patience.Token));
        try
        {
            await node.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            node.Kill();
            throw;
        }

        Assert.True((await errors).Length == 0, $"{await output}{await errors}");
        return (await output).Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
