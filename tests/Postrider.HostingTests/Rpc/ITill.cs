using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

/// <summary>A contract that SOAP can serve: without streams and attributes of authorization.</summary>
[Service("till")]
public interface ITill
{
    ValueTask<int> CountAsync(int coins);
}
