using Amazon.Runtime;

namespace Postrider.Transport.Aws;

/// <summary>Credentials that are requested before each call.</summary>
internal sealed class CallbackCredentials(Func<ImmutableCredentials> current) : AWSCredentials
{
    public override ImmutableCredentials GetCredentials() => current();
}
