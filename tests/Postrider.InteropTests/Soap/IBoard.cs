using System.Runtime.Serialization;
using System.ServiceModel;
using Postrider.Xml;

namespace Postrider.InteropTests.Soap;

/// <summary>A contract whose namespace is a URN, without a slash at its end.</summary>
[ServiceContract(Name = "Board", Namespace = "urn:board")]
internal interface IUrnBoard
{
    [OperationContract]
    Task<int> Add(int a, int b);

    [OperationContract]
    Task<BoardPost> Echo(BoardPost post);

    [OperationContract]
    [FaultContract(typeof(BoardFault))]
    Task<string> Find(string name);
}

/// <summary>The same with a namespace of http.</summary>
[ServiceContract(Name = "Board", Namespace = "http://board.example/v1")]
internal interface IHttpBoard
{
    [OperationContract]
    Task<int> Add(int a, int b);

    [OperationContract]
    Task<BoardPost> Echo(BoardPost post);

    [OperationContract]
    [FaultContract(typeof(BoardFault))]
    Task<string> Find(string name);
}

[DataContract(Namespace = "urn:board")]
public sealed class BoardPost
{
    [DataMember] public string? Text { get; set; }

    [DataMember] public byte[]? Image { get; set; }

    [DataMember] public SortedDictionary<string, int>? Votes { get; set; }

    [DataMember] public KeyValuePair<int, string> Author { get; set; }
}

[DataContract(Namespace = "urn:board")]
public sealed class BoardFault
{
    [DataMember] public string? Name { get; set; }
}

[XmlSerializable(typeof(IUrnBoard))]
[XmlSerializable(typeof(IHttpBoard))]
internal sealed partial class BoardXml : XmlContext;
