using Postrider.Credentials;

namespace Postrider.UnitTests.Credentials.Nkeys;

public sealed class NkeyPairTests
{
    private const NkeyKind NoKind = (NkeyKind)7;

    public static TheoryData<NkeyKind, char> Kinds => new()
    {
        { NkeyKind.Operator, 'O' },
        { NkeyKind.Account, 'A' },
        { NkeyKind.User, 'U' },
        { NkeyKind.Server, 'N' },
        { NkeyKind.Cluster, 'C' },
    };

    [Theory]
    [InlineData(GoTokens.DocumentedSeed, GoTokens.DocumentedKey)]
    [InlineData(GoTokens.UserSeed, GoTokens.UserKey)]
    public void Seed_of_Gos_tools_has_the_public_key_that_they_name(string seed, string publicKey)
    {
        using var key = NkeyPair.FromSeed(seed);

        Assert.Equal((NkeyKind.User, publicKey), (key.Kind, key.PublicKey));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Letters_tell_the_kind(NkeyKind kind, char letter)
    {
        using var key = NkeyPair.Create(kind);

        Assert.Equal((letter, 56), (key.PublicKey[0], key.PublicKey.Length));
        Assert.Equal($"S{letter}", SeedOf(key)[..2]);
        Assert.True(PublicNkey.IsValid(key.PublicKey, kind));
        Assert.False(PublicNkey.IsValid(key.PublicKey, kind == NkeyKind.User ? NkeyKind.Account : NkeyKind.User));
    }

    [Fact]
    public void Seed_gives_the_same_key_again()
    {
        using var key = NkeyPair.Create(NkeyKind.Account);

        using var again = NkeyPair.FromSeed(SeedOf(key));

        Assert.Equal(key.PublicKey, again.PublicKey);
        Assert.Equal(key.Sign("data"u8), again.Sign("data"u8));
    }

    // RFC 8032, section 7.1, test 3.
    [Fact]
    public void Signature_is_that_of_the_standard()
    {
        Span<char> seed = stackalloc char[NkeyPair.SeedLength];
        Postrider.Credentials.Nkeys.NkeyText.EncodeSeed(NkeyKind.User, Convert.FromHexString("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"), seed);
        using var key = NkeyPair.FromSeed(seed);

        var signature = key.Sign([0xaf, 0x82]);

        Assert.Equal("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", Convert.ToHexStringLower(PublicNkey.Parse(key.PublicKey).Bytes));
        Assert.Equal(
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
            Convert.ToHexStringLower(signature));
    }

    [Fact]
    public void Signature_of_other_data_another_key_or_another_length_is_refused()
    {
        using var key = NkeyPair.Create(NkeyKind.User);
        using var other = NkeyPair.Create(NkeyKind.User);
        var signature = key.Sign("nonce"u8);

        Assert.True(key.Verify("nonce"u8, signature));
        Assert.False(key.Verify("nonc"u8, signature));
        Assert.False(other.Verify("nonce"u8, signature));
        Assert.False(key.Verify("nonce"u8, signature.AsSpan(1)));
        Assert.False(key.Verify("nonce"u8, new byte[PublicNkey.SignatureBytes]));
        Assert.False(key.Verify("nonce"u8, []));
    }

    [Fact]
    public void Every_changed_bit_of_a_signature_is_noticed()
    {
        using var key = NkeyPair.FromSeed(GoTokens.DocumentedSeed);
        var signature = key.Sign("nonce"u8);
        for (var bit = 0; bit < signature.Length * 8; bit++)
        {
            var changed = signature.ToArray();
            changed[bit / 8] ^= (byte)(1 << (bit % 8));

            Assert.False(key.Verify("nonce"u8, changed), $"bit {bit}");
        }
    }

    [Fact]
    public void Disposed_key_signs_no_more_and_keeps_no_seed()
    {
        var key = NkeyPair.Create(NkeyKind.User);
        var text = key.PublicKey;

        key.Dispose();
        key.Dispose();

        Assert.Throws<ObjectDisposedException>(() => key.Sign("data"u8));
        Assert.Throws<ObjectDisposedException>(() => SeedOf(key));
        Assert.Equal(text, key.PublicKey);
    }

    [Fact]
    public void Text_of_a_key_has_no_seed()
    {
        using var key = NkeyPair.FromSeed(GoTokens.DocumentedSeed);

        Assert.Equal(GoTokens.DocumentedKey, key.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("SU")]
    [InlineData("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3V")]
    [InlineData("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VYA")]
    [InlineData("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VA")]
    [InlineData("sUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY")]
    [InlineData("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU 3VY")]
    [InlineData("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU1VY")]
    [InlineData(GoTokens.DocumentedKey)]
    public void Anything_but_a_seed_is_refused_and_not_repeated(string text)
    {
        var refused = Assert.Throws<CredentialsException>(() => NkeyPair.FromSeed(text));

        Assert.Equal(CredentialsErrorCode.InvalidSeed, refused.Code);
        if (text.Length > 2) Assert.DoesNotContain(text, refused.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_changed_letter_of_a_seed_is_noticed()
    {
        for (var i = 0; i < GoTokens.DocumentedSeed.Length; i++)
        {
            var changed = GoTokens.DocumentedSeed.ToCharArray();
            changed[i] = changed[i] == 'A' ? 'B' : 'A';

            Assert.Throws<CredentialsException>(() => NkeyPair.FromSeed(changed));
        }
    }

    [Fact]
    public void Public_key_of_other_letters_is_refused_and_a_seed_in_its_place_not_repeated()
    {
        var damaged = Assert.Throws<CredentialsException>(() => PublicNkey.Parse("UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF5"));
        var seed = Assert.Throws<CredentialsException>(() => PublicNkey.Parse(GoTokens.DocumentedSeed));

        Assert.Equal(CredentialsErrorCode.InvalidKey, damaged.Code);
        Assert.Contains("NLCNF5", damaged.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(GoTokens.DocumentedSeed[..12], seed.Message, StringComparison.Ordinal);
        Assert.False(PublicNkey.TryParse(null, out _));
    }

    [Fact]
    public void Curve_keys_are_another_class()
    {
        using var curve = CurveKeyPair.Create();
        var seed = new char[NkeyPair.SeedLength];
        curve.WriteSeed(seed);

        Assert.Equal(CredentialsErrorCode.WrongKeyKind, Assert.Throws<CredentialsException>(() => NkeyPair.FromSeed(seed)).Code);
        Assert.Equal(CredentialsErrorCode.WrongKeyKind, Assert.Throws<CredentialsException>(() => NkeyPair.Create(NkeyKind.Curve)).Code);
        Assert.Throws<ArgumentOutOfRangeException>(() => NkeyPair.Create(NoKind));
        Assert.False(PublicNkey.Parse(curve.PublicKey).Verify("data"u8, new byte[PublicNkey.SignatureBytes]));
    }

    [Fact]
    public void Random_text_is_neither_key_nor_seed()
    {
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        for (var i = 0; i < 2_000; i++)
        {
            var text = string.Create(random.Next(70), random, static (text, random) =>
            {
                for (var at = 0; at < text.Length; at++) text[at] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567=.é"[random.Next(35)];
            });

            Assert.False(PublicNkey.TryParse(text, out _));
            Assert.Throws<CredentialsException>(() => NkeyPair.FromSeed(text));
        }
    }

    private static string SeedOf(NkeyPair key)
    {
        Span<char> seed = stackalloc char[NkeyPair.SeedLength];
        key.WriteSeed(seed);
        return new string(seed);
    }
}
