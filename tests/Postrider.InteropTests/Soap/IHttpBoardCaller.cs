extern alias wcf;

using wcf::System.ServiceModel;

namespace Postrider.InteropTests.Soap;

/// <summary>The board as WCF's own client calls it.</summary>
[ServiceContract(Name = "Board", Namespace = "http://board.example/v1")]
public interface IHttpBoardCaller
{
    [OperationContract]
    Task<int> Add(int a, int b);

    [OperationContract]
    Task<BoardPost> Echo(BoardPost post);

    [OperationContract]
    [FaultContract(typeof(BoardFault))]
    Task<string> Find(string name);
}
