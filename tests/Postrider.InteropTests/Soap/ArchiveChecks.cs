extern alias wcf;

using wcf::System.ServiceModel;
using wcf::System.ServiceModel.Channels;

namespace Postrider.InteropTests.Soap;

/// <summary>What WCF's own client asks of the archive, by its name.</summary>
internal static class ArchiveChecks
{
    private static readonly DateTime s_time = new(2026, 2, 28, 23, 59, 58, 123, DateTimeKind.Utc);

    public static IReadOnlyDictionary<string, Action<IHttpArchive>> All { get; } = new Dictionary<string, Action<IHttpArchive>>
    {
        ["nothing"] = static archive => archive.Ping(),
        ["task without result"] = static archive => archive.Wait().GetAwaiter().GetResult(),
        ["text"] = static archive => Same("tea & <cake> ä€\U0001F375 ]]>\t\"'", archive.EchoText),
        ["text with line breaks"] = static archive => Same("a\r\nb\nc\rd", archive.EchoText),
        ["text of spaces"] = static archive => Same("  ", archive.EchoText),
        ["empty text"] = static archive => Same("", archive.EchoText),
        ["no text"] = static archive => Same(null, archive.EchoText),
        ["long text"] = static archive => Same(new string('x', 60_000), archive.EchoText),
        ["two parameters"] = static archive => Assert.Equal(long.MinValue + 5, archive.Add(5, long.MinValue)),
        ["decimals"] = static archive => Each(archive.EchoDecimal, 0m, 1.10m, decimal.MaxValue, decimal.MinValue),
        ["doubles"] = static archive => Each(archive.EchoDouble, 0.1, double.NaN, double.PositiveInfinity, double.NegativeInfinity, double.Epsilon, double.MaxValue),
        ["floats"] = static archive => Each(archive.EchoFloat, 0.1f, float.NaN, float.NegativeInfinity, float.MaxValue),
        ["booleans"] = static archive => Assert.Equal((false, true), (archive.Not(true), archive.Not(false))),
        ["characters"] = static archive => Each(archive.EchoCharacter, 'a', 'ä', '€', '\uFFFD'),
        ["guids"] = static archive => Each(archive.EchoGuid, Guid.Empty, new Guid("0f8fad5b-d9cb-469f-a165-70867728950e")),
        ["times"] = static archive => Each(archive.EchoTime, s_time, DateTime.SpecifyKind(s_time, DateTimeKind.Unspecified), DateTime.MinValue, DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc)),
        ["kinds of times"] = static archive => Each(time => archive.EchoTime(time).Kind.ToString(), time => time.Kind.ToString(), s_time, DateTime.SpecifyKind(s_time, DateTimeKind.Unspecified), s_time.ToLocalTime()),
        ["offsets"] = static archive => Each(value => archive.EchoOffset(value).ToString("O"), static value => value.ToString("O"), new DateTimeOffset(s_time), new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(-5.5)), DateTimeOffset.MinValue),
        ["spans"] = static archive => Each(archive.EchoSpan, TimeSpan.Zero, TimeSpan.FromTicks(1), TimeSpan.FromDays(-3.25), TimeSpan.MaxValue, TimeSpan.MinValue),
        ["addresses"] = static archive => Each<Uri?>(archive.EchoUri, null, new Uri("http://a.example/ä?b=c&d"), new Uri("a/b", UriKind.Relative)),
        ["bytes"] = static archive => Each<byte[]?>(archive.EchoBytes, null, [], [1, 2, 3], new byte[50_000]),
        ["nullable numbers"] = static archive => Each<int?>(archive.EchoNullable, null, 0, -7),
        ["nullable times"] = static archive => Each<DateTime?>(archive.EchoNullableTime, null, s_time),
        ["enumerations"] = static archive => Each(archive.EchoLevel, ArchiveLevel.Low, ArchiveLevel.High),
        ["nullable enumerations"] = static archive => Each<ArchiveLevel?>(archive.EchoNullableLevel, null, ArchiveLevel.High),
        ["flags"] = static archive => Each(archive.EchoRights, ArchiveRights.None, ArchiveRights.Write, ArchiveRights.Read | ArchiveRights.Remove),
        ["texts"] = static archive => Each<List<string?>?>(archive.EchoTexts, null, [], ["a", null, ""]),
        ["numbers"] = static archive => Each<int[]?>(archive.EchoNumbers, null, [], [1, -2, int.MaxValue]),
        ["lists of lists"] = static archive => Alike(new List<List<int>> { new() { 1, 2 }, new(), new() { 3 } }, archive.EchoNested),
        ["sets"] = static archive => Alike(new HashSet<string> { "a", "b" }, archive.EchoSet),
        ["maps"] = static archive => Alike(new Dictionary<string, int> { ["a"] = 1, ["b & c"] = 2 }, archive.EchoMap),
        ["maps of objects"] = static archive => Alike(new Dictionary<int, ArchiveLine> { [1] = Line(1), [-1] = Line(2) }, archive.EchoLineMap),
        ["object"] = static archive => Alike(Line(1), archive.EchoLine!),
        ["no object"] = static archive => Assert.Null(archive.EchoLine(null)),
        ["2,000 lines"] = static archive => Alike(Enumerable.Range(0, 2000).Select(Line).ToList(), archive.EchoLines),
        ["generic class"] = static archive => Alike(new ArchivePage<ArchiveLine> { Items = [Line(1), Line(2)], Total = 9 }, archive.EchoPage),
        ["generic class of numbers"] = static archive => Alike(new ArchivePage<int> { Items = [1, 2], Total = 9 }, archive.EchoNumberPage),
        ["base class"] = static archive => Shape(new ArchiveShape { Colour = "red" }, archive),
        ["derived class"] = static archive => Shape(new ArchiveCircle { Colour = "red", Radius = 1.5 }, archive),
        ["derived class of another namespace"] = static archive => Shape(new ArchiveSquare { Colour = "red", Side = 2 }, archive),
        ["classes of one base in a list"] = static archive => Assert.Equal(
            [typeof(ArchiveSquare), typeof(ArchiveShape), typeof(ArchiveCircle)],
            archive.EchoShapes([new ArchiveSquare(), new ArchiveShape(), new ArchiveCircle()]).Select(static shape => shape.GetType())),
        ["private members"] = static archive => Assert.Equal((7, "seven"), archive.EchoClosed(ArchiveClosed.Of(7, "seven")).Content),
        ["struct"] = static archive => Each(archive.EchoPoint, default, new ArchivePoint { X = 1, Y = -2 }),
        ["nullable struct"] = static archive => Each<ArchivePoint?>(archive.EchoNullablePoint, null, new ArchivePoint { X = 1, Y = -2 }),
        ["small numbers"] = static archive => Alike(
            new ArchiveSmall { Byte = 255, SByte = -128, Short = short.MinValue, UShort = ushort.MaxValue, UInt = uint.MaxValue, ULong = ulong.MaxValue, Character = 'ß' }, archive.EchoSmall),
        ["tree"] = static archive => Alike(new ArchiveNode { Name = "a", Children = [new() { Name = "b", Children = [] }, new() { Children = [new() { Name = "c" }] }] }, archive.EchoNode),
        ["collection with names of its own"] = static archive => Alike(new ArchiveTags { "a", "b" }, archive.EchoTags),
        ["class without attributes"] = static archive => Assert.Equal(("a", 3, null), archive.EchoPlain(new() { Text = "a", Number = 3, Left = "b" }) is var back ? (back.Text, back.Number, back.Left) : default),
        ["members left out"] = static archive => Assert.Equal((null, 0, true), archive.EchoSparse(new()) is var back ? (back.Text, back.Number, back.IsRead) : default),
        ["ref and out"] = static archive =>
        {
            var times = 21;
            var isFound = archive.TryFind("a", ref times, out var found);
            Assert.Equal((true, 42, "a!"), (isFound, times, found));
        },
        ["out without result"] = static archive =>
        {
            archive.Split(7, out var half, out var rest);
            Assert.Equal((3, 1), (half, rest));
        },
        ["other name"] = static archive => Assert.Equal(2, archive.OtherName(1)),
        ["other action"] = static archive => Assert.Equal(3, archive.Acted(1)),
        ["other names of parameters"] = static archive => Assert.Equal(4, archive.Parameters(1)),
        ["one-way"] = static archive =>
        {
            archive.Note("a");
            Assert.Equal("a", archive.NextNote().GetAwaiter().GetResult());
        },
        ["fault with detail and code"] = static archive =>
        {
            var fault = Assert.Throws<FaultException<ArchiveMissing>>(() => archive.Find("missing"));
            Assert.Equal(("missing", "There is no such paper."), (fault.Detail.Name, fault.Message));
            Assert.Contains("Missing", Codes(fault.Code));
        },
        ["other fault"] = static archive => Assert.Equal(ArchiveRights.Read | ArchiveRights.Remove, Assert.Throws<FaultException<ArchiveDenied>>(() => archive.Find("denied")).Detail.Needed),
        ["fault without detail"] = static archive => Assert.Equal("It is closed.", Assert.Throws<FaultException>(() => archive.Fail("reason")).Message),
        ["fault of the sender"] = static archive =>
        {
            var fault = Assert.Throws<FaultException>(() => archive.Fail("sender"));
            Assert.Equal("It is your mistake.", fault.Message);
            Assert.Contains("Closed", Codes(fault.Code));
        },
        ["exception"] = static archive =>
        {
            var fault = Assert.Throws<FaultException>(() => archive.Fail("otherwise"));
            Assert.DoesNotContain("secret", fault.ToString(), StringComparison.Ordinal);
            Assert.True(fault.Code.IsReceiverFault || fault.Code.Name == "Server", Codes(fault.Code));
        },
        ["character that XML has not"] = static archive => Assert.ThrowsAny<Exception>(() => archive.EchoText("a\u0001")),
        ["header that has to be understood"] = static archive =>
        {
            // What WCF's client makes of the fault MustUnderstand.
            Assert.IsType<ProtocolException>(Headed(archive, isNeeded: true));
        },
        ["header that may be passed over"] = static archive => Assert.Null(Headed(archive, isNeeded: false)),
    };

    private static ArchiveLine Line(int i) => new() { Number = i, Text = $"line {i}", Time = i % 2 == 0 ? null : s_time };

    private static void Same(string? text, Func<string?, string?> echo) => Assert.Equal(text, echo(text));

    private static void Alike<T>(T value, Func<T, T> echo) => Assert.Equivalent(value, echo(value), strict: true);

    private static void Each<T>(Func<T, T> echo, params T[] values) => Assert.Equal(values, values.Select(echo));

    private static void Each<T>(Func<T, string> echo, Func<T, string> text, params T[] values) => Assert.Equal(values.Select(text), values.Select(echo));

    private static void Shape<T>(T shape, IHttpArchive archive)
        where T : ArchiveShape
        => Assert.Equivalent(shape, Assert.IsType<T>(archive.EchoShape(shape)), strict: true);

    private static string Codes(FaultCode? code) => code is null ? "" : $"{code.Name} {Codes(code.SubCode)}";

    // The proxy of the contract's own factory is what knows the header's scope.
    private static Exception? Headed(IHttpArchive archive, bool isNeeded)
    {
        using var scope = new OperationContextScope((IContextChannel)ArchiveProxy.Channel(archive));
        OperationContext.Current.OutgoingMessageHeaders.Add(MessageHeader.CreateHeader("Unheard", "urn:archive:headers", "a", isNeeded));
        return Record.Exception(archive.Ping);
    }
}
