using System.ServiceModel;
using System.Threading.Channels;

namespace Postrider.InteropTests.Soap;

internal sealed class Archive : IHttpArchive, IUrnArchive
{
    private readonly Channel<string> _notes = Channel.CreateUnbounded<string>();

    public void Ping()
    {
    }

    public string? EchoText(string? text) => text;

    public long Add(int a, long b) => a + b;

    public decimal EchoDecimal(decimal value) => value;

    public double EchoDouble(double value) => value;

    public float EchoFloat(float value) => value;

    public bool Not(bool value) => !value;

    public char EchoCharacter(char value) => value;

    public Guid EchoGuid(Guid value) => value;

    public DateTime EchoTime(DateTime value) => value;

    public DateTimeOffset EchoOffset(DateTimeOffset value) => value;

    public TimeSpan EchoSpan(TimeSpan value) => value;

    public Uri? EchoUri(Uri? value) => value;

    public byte[]? EchoBytes(byte[]? value) => value;

    public int? EchoNullable(int? value) => value;

    public DateTime? EchoNullableTime(DateTime? value) => value;

    public ArchiveLevel EchoLevel(ArchiveLevel value) => value;

    public ArchiveLevel? EchoNullableLevel(ArchiveLevel? value) => value;

    public ArchiveRights EchoRights(ArchiveRights value) => value;

    public List<string?>? EchoTexts(List<string?>? value) => value;

    public int[]? EchoNumbers(int[]? value) => value;

    public List<List<int>> EchoNested(List<List<int>> value) => value;

    public HashSet<string> EchoSet(HashSet<string> value) => value;

    public Dictionary<string, int> EchoMap(Dictionary<string, int> value) => value;

    public Dictionary<int, ArchiveLine> EchoLineMap(Dictionary<int, ArchiveLine> value) => value;

    public ArchiveLine? EchoLine(ArchiveLine? value) => value;

    public List<ArchiveLine> EchoLines(List<ArchiveLine> value) => value;

    public ArchivePage<ArchiveLine> EchoPage(ArchivePage<ArchiveLine> value) => value;

    public ArchivePage<int> EchoNumberPage(ArchivePage<int> value) => value;

    public ArchiveShape EchoShape(ArchiveShape value) => value;

    public List<ArchiveShape> EchoShapes(List<ArchiveShape> value) => value;

    public ArchiveClosed EchoClosed(ArchiveClosed value) => value;

    public ArchivePoint EchoPoint(ArchivePoint value) => value;

    public ArchivePoint? EchoNullablePoint(ArchivePoint? value) => value;

    public ArchiveSmall EchoSmall(ArchiveSmall value) => value;

    public ArchiveNode EchoNode(ArchiveNode value) => value;

    public ArchiveTags EchoTags(ArchiveTags value) => value;

    public ArchivePlain EchoPlain(ArchivePlain value) => value;

    public ArchiveSparse EchoSparse(ArchiveSparse value) => value;

    public bool TryFind(string name, ref int times, out string found)
    {
        times *= 2;
        found = name + "!";
        return true;
    }

    public void Split(int value, out int half, out int rest) => (half, rest) = (value / 2, value % 2);

    public int OtherName(int value) => value + 1;

    public int Acted(int value) => value + 2;

    public int Parameters(int value) => value + 3;

    public void Note(string text) => _notes.Writer.TryWrite(text);

    public Task<string> NextNote() => _notes.Reader.ReadAsync().AsTask();

    public Task Wait() => Task.CompletedTask;

    public string Find(string name) => name switch
    {
        "missing" => throw new FaultException<ArchiveMissing>(new ArchiveMissing { Name = name }, new FaultReason("There is no such paper."), new FaultCode("Missing", "urn:archive:codes")),
        "denied" => throw new FaultException<ArchiveDenied>(new ArchiveDenied { Needed = ArchiveRights.Read | ArchiveRights.Remove }, "You may not read it."),
        _ => name,
    };

    public int Fail(string how) => how switch
    {
        "reason" => throw new FaultException("It is closed."),
        "sender" => throw new FaultException("It is your mistake.", FaultCode.CreateSenderFaultCode("Closed", "urn:archive:codes")),
        _ => throw new InvalidOperationException("secret"),
    };
}
