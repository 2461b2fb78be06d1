using System.Diagnostics.Metrics;
using System.Net;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Durations of calls by OpenTelemetry's conventions, over every kind of transport alike.</summary>
public sealed class MetricsTests
{
    [Fact]
    public async Task Calls_are_measured_at_both_ends_over_http()
    {
        await using var host = await DepotHost.StartAsync(serve: static service => service.WithMetrics());

        await AssertMeasuredAsync(host.Channel);
    }

    [Fact]
    public async Task Calls_are_measured_at_both_ends_over_a_socket()
    {
        var codec = new RpcMessagePackCodec();
        await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), codec, DepotContract.Serve(new Depot()).WithMetrics());
        await using var channel = new SocketChannel(server.EndPoint, codec);

        await AssertMeasuredAsync(channel);
    }

    [Fact]
    public async Task Calls_are_measured_at_both_ends_in_process()
        => await AssertMeasuredAsync(new InProcessChannel(DepotContract.Serve(new Depot()).WithMetrics()));

    private static async Task AssertMeasuredAsync(RpcChannel channel)
    {
        using var listening = new Listening();
        var client = new DepotClient(channel.WithMetrics());

        Assert.Equal(3, await client.MeasureAsync("abc"));
        await Assert.ThrowsAsync<RpcException>(async () => await client.FailAsync());
        Assert.Equal(3, await client.CountAsync(3).CountAsync());

        await listening.WaitAsync(6);
        string[] expected =
        [
            "rpc.client.call.duration depot/Count Ok ", "rpc.client.call.duration depot/Fail Forbidden Forbidden", "rpc.client.call.duration depot/Measure Ok ",
            "rpc.server.call.duration depot/Count Ok ", "rpc.server.call.duration depot/Fail Forbidden Forbidden", "rpc.server.call.duration depot/Measure Ok ",
        ];
        Assert.Equal(expected, listening.Found.Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal));
    }

    private sealed class Listening : IDisposable
    {
        private readonly MeterListener _listener = new();
        private readonly Lock _gate = new();
        private readonly HashSet<string> _found = [];
        private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Listening()
        {
            _listener.InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == RpcMetrics.MeterName)
                    listener.EnableMeasurementEvents(instrument);
            };
            _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
            _listener.Start();
        }

        public IReadOnlyList<string> Found
        {
            get
            {
                lock (_gate)
                    return [.. _found];
            }
        }

        public async Task WaitAsync(int count)
        {
            while (true)
            {
                Task changed;
                lock (_gate)
                {
                    if (_found.Count >= count)
                        return;
                    changed = _changed.Task;
                }

                await changed.WaitAsync(TimeSpan.FromSeconds(30));
            }
        }

        public void Dispose() => _listener.Dispose();

        private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            var byName = tags.ToArray().ToDictionary(t => t.Key, t => t.Value, StringComparer.Ordinal);
            if (value < 0 || (string?)byName["rpc.system.name"] != "postrider" || !((string)byName["rpc.method"]!).StartsWith("depot/", StringComparison.Ordinal))
                return;
            TaskCompletionSource changed;
            lock (_gate)
            {
                _found.Add($"{instrument.Name} {byName["rpc.method"]} {byName["rpc.response.status_code"]} {byName.GetValueOrDefault("error.type")}");
                (changed, _changed) = (_changed, new(TaskCreationOptions.RunContinuationsAsynchronously));
            }

            changed.TrySetResult();
        }
    }
}
