using Postrider.Rpc.InProcess;
using Postrider.Rpc.Operations;

namespace Postrider.SystemTests.Rpc;

public sealed class InProcessTests : DuplexContract
{
    private protected override ValueTask<RpcChannel> StartAsync(RpcService service) => new(new InProcessChannel(service));
}
