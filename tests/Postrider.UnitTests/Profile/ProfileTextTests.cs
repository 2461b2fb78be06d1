using Postrider.Profile;

namespace Postrider.UnitTests.Profile;

/// <summary>The text that the runtime writes about the methods that ran with counters.</summary>
public sealed class ProfileTextTests
{
    private const string Start = "@@@ codehash 0xB8A4BB77 methodhash 0x24AB8F62 ilSize 0x00000112 records 0x00000001\nMethodName: A.B`1[System.__Canon].Get\nSignature: instance int32  (!0)\n";

    [Fact]
    public void Methods_have_their_names_sizes_and_counters()
    {
        const string Text = """
            *** START PGO Data, max index = 2 ***
            @@@ codehash 0xB8A4BB77 methodhash 0x24AB8F62 ilSize 0x00000112 records 0x00000005
            MethodName: A.B`1[System.__Canon].Get
            Signature: instance int32  (!0)
            Schema InstrumentationKind 385 ILOffset 23 Count 1 Other 24
            4
            Schema InstrumentationKind 386 ILOffset 30 Count 1 Other 31
            7 2
            Schema InstrumentationKind 177 ILOffset 92 Count 1 Other 3221225472
            3
            Schema InstrumentationKind 195 ILOffset 92 Count 3 Other 3221225472
            TypeHandle: A.C, Lib, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null
            TypeHandle: UNKNOWN
            TypeHandle: NULL
            Schema InstrumentationKind 196 ILOffset 99 Count 1 Other 0
            MethodHandle: Run|@|A.C, Lib, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null
            @@@ codehash 0x00000001 methodhash 0x00000002 ilSize 0x0000000A records 0x00000000
            MethodName: A.D..ctor
            Signature: instance void  ()
            *** END PGO Data ***
            """;

        var methods = ProfileText.Read(Text.Split('\n').Select(line => line.TrimEnd('\r'))).ToList();

        Assert.Equal(["A.B`1[System.__Canon].Get", "A.D..ctor"], methods.Select(method => method.Name));
        Assert.Equal("instance int32  (!0)", methods[0].Signature);
        Assert.Equal([0x112, 10], methods.Select(method => method.BodySize));
        Assert.Equal(new CounterPlace(385, 23, 1, 24), methods[0].Counters[0].Place);
        Assert.Equal([4L], methods[0].Counters[0].Numbers);
        Assert.Equal([7 + (2L << 32)], methods[0].Counters[1].Numbers);
        Assert.Equal(new CounterPlace(CounterKind.SeenTypes, 92, 3, unchecked((int)3221225472)), methods[0].Counters[3].Place);
        Assert.Equal(["A.C, Lib, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null", null], methods[0].Counters[3].Names);
        Assert.Equal(CounterKind.SeenMethods, methods[0].Counters[4].Place.Kind);
        Assert.Equal(4 + 7 + (2L << 32) + 3, methods[0].Total);
    }

    [Theory]
    [InlineData("@@@ codehash 0x1", "Unexpected line in the profile: '@@@ codehash 0x1'. Expected '@@@ codehash A methodhash B ilSize C records D'.")]
    [InlineData("@@@ codehash 0x1 methodhash 0x2 ilSize 12 records 0x1", "Unexpected line in the profile: '12'. Expected a hexadecimal number.")]
    [InlineData("@@@ codehash 0x1 methodhash 0x2 ilSize 0x1 records 0x1\nName: A", "Unexpected line in the profile: 'Name: A'. Expected a line that begins with 'MethodName: '.")]
    [InlineData(Start, "The profile ends within a method; expected a line that begins with 'Schema InstrumentationKind '.")]
    [InlineData(Start + "Schema InstrumentationKind 385", "Unexpected line in the profile: 'Schema InstrumentationKind 385'. Expected 'Schema InstrumentationKind A ILOffset B Count C Other D'.")]
    [InlineData(Start + "Schema InstrumentationKind 385 ILOffset 1 Count 1 Other 2\nmany", "Unexpected line in the profile: 'many'. Expected a number.")]
    [InlineData(Start + "Schema InstrumentationKind 386 ILOffset 1 Count 1 Other 2\n1", "Unexpected line in the profile: '1'. Expected two numbers.")]
    [InlineData(Start + "Schema InstrumentationKind 389 ILOffset 1 Count 1 Other 2\n1", "Unexpected line in the profile: 'Schema InstrumentationKind 389 ILOffset 1 Count 1 Other 2'. Expected a counter of 0 to 4 in its last four bits.")]
    public void A_line_that_does_not_fit_is_named(string text, string message)
    {
        var thrown = Assert.Throws<FormatException>(() => ProfileText.Read(text.TrimEnd('\n').Split('\n')).Count());

        Assert.Equal(message, thrown.Message);
    }
}
