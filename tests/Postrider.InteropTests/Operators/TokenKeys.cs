using System.Buffers.Text;
using System.Text;
using Postrider.Credentials;

namespace Postrider.InteropTests.Operators;

/// <summary>The keys of one story; the operator's are everybody's.</summary>
internal sealed class TokenKeys(NkeyPair authority, NkeyPair authoritySigner) : IDisposable
{
    /// <summary>The operator's own key.</summary>
    public NkeyPair Operator => authority;

    /// <summary>A signing key of the operator.</summary>
    public NkeyPair OperatorSigner => authoritySigner;

    /// <summary>The account's own key.</summary>
    public NkeyPair Account { get; } = NkeyPair.Create(NkeyKind.Account);

    /// <summary>A signing key of the account.</summary>
    public NkeyPair Signer { get; } = NkeyPair.Create(NkeyKind.Account);

    /// <summary>A signing key of the account with a scope.</summary>
    public NkeyPair Scoped { get; } = NkeyPair.Create(NkeyKind.Account);

    /// <summary>The user's key.</summary>
    public NkeyPair User { get; } = NkeyPair.Create(NkeyKind.User);

    /// <summary>An operator whom nobody trusts.</summary>
    public NkeyPair Stranger { get; } = NkeyPair.Create(NkeyKind.Operator);

    /// <summary>An account that no server knows.</summary>
    public NkeyPair OtherAccount { get; } = NkeyPair.Create(NkeyKind.Account);

    /// <summary>Another user.</summary>
    public NkeyPair OtherUser { get; } = NkeyPair.Create(NkeyKind.User);

    /// <summary>Signs a nonce as clients do.</summary>
    public static string Sign(string nonce, NkeyPair key) => Base64Url.EncodeToString(key.Sign(Encoding.ASCII.GetBytes(nonce)));

    public void Dispose()
    {
        foreach (var key in (NkeyPair[])[Account, Signer, Scoped, User, Stranger, OtherAccount, OtherUser]) key.Dispose();
    }
}
