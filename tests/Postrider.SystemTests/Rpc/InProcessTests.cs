using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

public sealed class InProcessTests : DuplexContract
{
    private protected override ValueTask<RpcChannel> StartAsync(RpcService service) => new(new InProcessChannel(service));
}
