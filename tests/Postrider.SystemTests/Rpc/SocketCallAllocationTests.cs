using System.Net;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a call over the multiplexed socket allocates, both ends and the transport together.</summary>
[CollectionDefinition(nameof(SocketCallAllocationTests), DisableParallelization = true)]
[Collection(nameof(SocketCallAllocationTests))]
public sealed class SocketCallAllocationTests
{
    // Each round's calls; a round that the runtime disturbed (a method compiled again, a pool that grew) does not count.
    private const int Calls = 2_000;
    private const int Rounds = 12;

    [Fact]
    public async Task Call_without_objects_allocates_at_most_a_waiting_methods_state()
    {
        await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), new RpcMessagePackCodec(DeskMessages.Default), DeskContract.Serve(new Desk()));
        await using var channel = new SocketChannel(server.EndPoint, new RpcMessagePackCodec(DeskMessages.Default));
        var client = new DeskClient(channel);
        var least = long.MaxValue;
        var sum = 0L;

        for (var round = 0; round < Rounds; round++)
        {
            var before = GC.GetTotalAllocatedBytes();
            for (var i = 0; i < Calls; i++)
                sum += await client.BuyAsync(2);
            least = Math.Min(least, GC.GetTotalAllocatedBytes() - before);
        }

        // Nothing of the path itself: the allowance is what other threads of the process did meanwhile, and the test's own state.
        Assert.Equal(4L * Calls * Rounds, sum);
        Assert.InRange(least / Calls, 0, 64);
    }
}
