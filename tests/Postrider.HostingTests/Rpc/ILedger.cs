using Microsoft.AspNetCore.Authorization;
using Postrider.MessagePack;
using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

/// <summary>The contract of these tests.</summary>
[Service("ledger")]
public interface ILedger
{
    ValueTask<int> AddAsync(int amount, CancellationToken ct = default);

    ValueTask<string> WhoAsync(CallContext? context = null);

    ValueTask FailAsync();

    ValueTask<string?> RemarkAsync(string? text);

    IAsyncEnumerable<int> CountAsync(int last, CancellationToken ct = default);

    [Authorize]
    ValueTask<int> SecretAsync();

    [Authorize(Roles = "auditor")]
    IAsyncEnumerable<int> AuditAsync(CancellationToken ct = default);
}

[MessagePackSerializable(typeof(int))]
[MessagePackSerializable(typeof(string))]
public sealed partial class LedgerMessages : MessagePackContext;
