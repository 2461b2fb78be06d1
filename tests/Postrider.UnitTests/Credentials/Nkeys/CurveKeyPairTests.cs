using Postrider.Credentials;
using Postrider.Credentials.Nkeys;

namespace Postrider.UnitTests.Credentials.Nkeys;

public sealed class CurveKeyPairTests
{
    // NaCl's own test of crypto_box: bobsk, alicepk, nonce, m and c of its tests.
    private const string BobSecret = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb";
    private const string AlicePublic = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
    private const string Nonce = "69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37";

    private const string Data = "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057"
        + "e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705";

    private const string Box = "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738"
        + "b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5";

    [Fact]
    public void Box_is_that_of_NaCl()
    {
        var data = Convert.FromHexString(Data);
        var box = new byte[data.Length + CurveBox.TagBytes];

        CurveBox.Seal(data, Convert.FromHexString(Nonce), Convert.FromHexString(AlicePublic), Convert.FromHexString(BobSecret), box);

        Assert.Equal(Box, Convert.ToHexStringLower(box));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(100_000)]
    public void What_one_seals_the_other_opens(int length)
    {
        using var alice = CurveKeyPair.Create();
        using var bob = CurveKeyPair.Create();
        var data = new byte[length];
        new Random(1).NextBytes(data);

        var message = alice.Seal(data, bob.PublicKey);

        Assert.Equal(length + CurveKeyPair.SealBytes, message.Length);
        Assert.Equal(data, bob.Open(message, alice.PublicKey));
        Assert.NotEqual(message, alice.Seal(data, bob.PublicKey));
    }

    [Fact]
    public void Every_changed_byte_of_a_message_is_noticed()
    {
        using var alice = CurveKeyPair.Create();
        using var bob = CurveKeyPair.Create();
        var message = alice.Seal("request"u8, bob.PublicKey);
        for (var i = 0; i < message.Length; i++)
        {
            var changed = message.ToArray();
            changed[i] ^= 1;

            var refused = Assert.Throws<CredentialsException>(() => bob.Open(changed, alice.PublicKey));
            Assert.Equal(CredentialsErrorCode.DecryptionFailed, refused.Code);
        }
    }

    [Fact]
    public void Message_cut_anywhere_is_refused()
    {
        using var alice = CurveKeyPair.Create();
        using var bob = CurveKeyPair.Create();
        var message = alice.Seal("request"u8, bob.PublicKey);
        for (var length = 0; length < message.Length; length++)
        {
            var cut = message[..length];

            Assert.Equal(CredentialsErrorCode.DecryptionFailed, Assert.Throws<CredentialsException>(() => bob.Open(cut, alice.PublicKey)).Code);
        }
    }

    [Fact]
    public void Message_of_another_sender_is_refused()
    {
        using var alice = CurveKeyPair.Create();
        using var bob = CurveKeyPair.Create();
        using var eve = CurveKeyPair.Create();
        var message = eve.Seal("request"u8, bob.PublicKey);

        Assert.Equal(CredentialsErrorCode.DecryptionFailed, Assert.Throws<CredentialsException>(() => bob.Open(message, alice.PublicKey)).Code);
    }

    [Fact]
    public void Keys_that_protect_nothing_or_are_of_another_kind_are_refused()
    {
        using var alice = CurveKeyPair.Create();
        using var user = NkeyPair.Create(NkeyKind.User);
        var smallOrder = NkeyText.EncodePublicKey(NkeyKind.Curve, new byte[32]);

        Assert.Equal(CredentialsErrorCode.InvalidKey, Assert.Throws<CredentialsException>(() => alice.Seal("x"u8, smallOrder)).Code);
        Assert.Equal(CredentialsErrorCode.WrongKeyKind, Assert.Throws<CredentialsException>(() => alice.Seal("x"u8, user.PublicKey)).Code);
        Assert.Equal(CredentialsErrorCode.InvalidKey, Assert.Throws<CredentialsException>(() => alice.Open("x"u8, "XA")).Code);
        Assert.Equal(CredentialsErrorCode.WrongKeyKind, Assert.Throws<CredentialsException>(() => CurveKeyPair.FromSeed(GoTokens.DocumentedSeed)).Code);
    }

    [Fact]
    public void Seed_gives_the_same_key_again_until_it_is_wiped()
    {
        var key = CurveKeyPair.Create();
        var seed = new char[NkeyPair.SeedLength];
        key.WriteSeed(seed);

        using var again = CurveKeyPair.FromSeed(seed);
        key.Dispose();

        Assert.StartsWith("SX", new string(seed), StringComparison.Ordinal);
        Assert.Equal(key.PublicKey, again.PublicKey);
        Assert.Equal(key.PublicKey, key.ToString());
        Assert.Throws<ObjectDisposedException>(() => key.WriteSeed(seed));
    }
}
