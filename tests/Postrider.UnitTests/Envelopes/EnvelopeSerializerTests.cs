using Postrider.ClaimChecks;
using Postrider.Envelopes;
using Postrider.Serialization;

namespace Postrider.UnitTests.Envelopes;

public sealed class EnvelopeSerializerTests
{
    // An empty text is a valid one: without the error it would be handled.
    [Fact]
    public void Body_that_was_left_in_a_claim_check_is_not_read_as_an_empty_one()
    {
        var texts = new EnvelopeSerializer<string>(TextSerializerProvider.Instance);

        var refused = Assert.Throws<PostriderException>(() => texts.Read(new Envelope { Destination = "pictures", Headers = { { ClaimHeaders.Id, new string('a', 64) } } }));

        Assert.Equal((PostriderError.Codec, "The body is in a claim check, and this transport has none: call UseClaimCheck with the store of the sender."), (refused.Error, refused.Message));
        Assert.Equal("", texts.Read(new Envelope { Destination = "pictures" }));
    }
}
