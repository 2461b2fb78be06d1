using System.ServiceModel;

namespace Postrider.InteropTests.Soap;

internal sealed class Board : IUrnBoard, IHttpBoard
{
    public Task<int> Add(int a, int b) => Task.FromResult(a + b);

    public Task<BoardPost> Echo(BoardPost post) => Task.FromResult(post);

    public Task<string> Find(string name)
        => name == "known" ? Task.FromResult("here") : throw new FaultException<BoardFault>(new BoardFault { Name = name }, new FaultReason("There is no such post."));
}
