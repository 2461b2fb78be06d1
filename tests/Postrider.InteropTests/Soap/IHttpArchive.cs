extern alias wcf;

using wcf::System.ServiceModel;

namespace Postrider.InteropTests.Soap;

/// <summary>A contract with one operation for each thing that WCF's contracts use, in a namespace of http.</summary>
[ServiceContract(Name = "Archive", Namespace = "http://archive.example/v1")]
public interface IHttpArchive
{
    [OperationContract]
    void Ping();

    [OperationContract]
    string? EchoText(string? text);

    [OperationContract]
    long Add(int a, long b);

    [OperationContract]
    decimal EchoDecimal(decimal value);

    [OperationContract]
    double EchoDouble(double value);

    [OperationContract]
    float EchoFloat(float value);

    [OperationContract]
    bool Not(bool value);

    [OperationContract]
    char EchoCharacter(char value);

    [OperationContract]
    Guid EchoGuid(Guid value);

    [OperationContract]
    DateTime EchoTime(DateTime value);

    [OperationContract]
    DateTimeOffset EchoOffset(DateTimeOffset value);

    [OperationContract]
    TimeSpan EchoSpan(TimeSpan value);

    [OperationContract]
    Uri? EchoUri(Uri? value);

    [OperationContract]
    byte[]? EchoBytes(byte[]? value);

    [OperationContract]
    int? EchoNullable(int? value);

    [OperationContract]
    DateTime? EchoNullableTime(DateTime? value);

    [OperationContract]
    ArchiveLevel EchoLevel(ArchiveLevel value);

    [OperationContract]
    ArchiveLevel? EchoNullableLevel(ArchiveLevel? value);

    [OperationContract]
    ArchiveRights EchoRights(ArchiveRights value);

    [OperationContract]
    List<string?>? EchoTexts(List<string?>? value);

    [OperationContract]
    int[]? EchoNumbers(int[]? value);

    [OperationContract]
    List<List<int>> EchoNested(List<List<int>> value);

    [OperationContract]
    HashSet<string> EchoSet(HashSet<string> value);

    [OperationContract]
    Dictionary<string, int> EchoMap(Dictionary<string, int> value);

    [OperationContract]
    Dictionary<int, ArchiveLine> EchoLineMap(Dictionary<int, ArchiveLine> value);

    [OperationContract]
    ArchiveLine? EchoLine(ArchiveLine? value);

    [OperationContract]
    List<ArchiveLine> EchoLines(List<ArchiveLine> value);

    [OperationContract]
    ArchivePage<ArchiveLine> EchoPage(ArchivePage<ArchiveLine> value);

    [OperationContract]
    ArchivePage<int> EchoNumberPage(ArchivePage<int> value);

    [OperationContract]
    ArchiveShape EchoShape(ArchiveShape value);

    [OperationContract]
    List<ArchiveShape> EchoShapes(List<ArchiveShape> value);

    [OperationContract]
    ArchiveClosed EchoClosed(ArchiveClosed value);

    [OperationContract]
    ArchivePoint EchoPoint(ArchivePoint value);

    [OperationContract]
    ArchivePoint? EchoNullablePoint(ArchivePoint? value);

    [OperationContract]
    ArchiveSmall EchoSmall(ArchiveSmall value);

    [OperationContract]
    ArchiveNode EchoNode(ArchiveNode value);

    [OperationContract]
    ArchiveTags EchoTags(ArchiveTags value);

    [OperationContract]
    ArchivePlain EchoPlain(ArchivePlain value);

    [OperationContract]
    ArchiveSparse EchoSparse(ArchiveSparse value);

    [OperationContract]
    bool TryFind(string name, ref int times, out string found);

    [OperationContract]
    void Split(int value, out int half, out int rest);

    [OperationContract(Name = "Renamed")]
    int OtherName(int value);

    [OperationContract(Action = "urn:archive:acted", ReplyAction = "urn:archive:replied")]
    int Acted(int value);

    [OperationContract]
    [return: MessageParameter(Name = "given")]
    int Parameters([MessageParameter(Name = "taken")] int value);

    [OperationContract(IsOneWay = true)]
    void Note(string text);

    [OperationContract]
    Task<string> NextNote();

    [OperationContract]
    Task Wait();

    [OperationContract]
    [FaultContract(typeof(ArchiveMissing))]
    [FaultContract(typeof(ArchiveDenied))]
    string Find(string name);

    [OperationContract]
    int Fail(string how);
}
