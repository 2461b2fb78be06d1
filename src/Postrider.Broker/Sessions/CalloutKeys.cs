using Postrider.Credentials;

namespace Postrider.Broker.Sessions;

/// <summary>The broker's own keys for authorization callouts: created at its start, and never stored.</summary>
internal sealed class CalloutKeys : IDisposable
{
    /// <summary>Signs requests; its public key is the broker's id.</summary>
    public NkeyPair Identity { get; } = NkeyPair.Create(NkeyKind.Server);

    /// <summary>Encrypts requests and decrypts responses.</summary>
    public CurveKeyPair Curve { get; } = CurveKeyPair.Create();

    /// <inheritdoc/>
    public void Dispose()
    {
        Identity.Dispose();
        Curve.Dispose();
    }
}
