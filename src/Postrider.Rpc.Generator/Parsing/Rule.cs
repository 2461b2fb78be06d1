namespace Postrider.Rpc.Generator.Parsing;

/// <summary>What can be wrong with a contract; the number is that of the diagnostic.</summary>
internal enum Rule
{
    WrongContract = 1,
    WrongResult = 2,
    WrongParameter = 3,
    DuplicateOperation = 4,
    WrongOneWay = 5,
    WrongFault = 6,
    WrongRoute = 7,
    DuplicateRoute = 8,
    NotMoved = 9,
    OtherBehavior = 10,
}
