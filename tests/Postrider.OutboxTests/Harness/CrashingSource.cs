#pragma warning disable CA2215 // The bases hold nothing: what is disposed is the inner one.
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace Postrider.OutboxTests.Harness;

/// <summary>A data source whose user dies at a point: its connections end, and what was not committed is rolled back.</summary>
internal sealed class CrashingSource(DbDataSource inner, CrashPlan plan) : DbDataSource
{
    public override string ConnectionString => inner.ConnectionString;

    protected override DbConnection CreateDbConnection() => new Connection(inner.CreateConnection(), plan);

    private sealed class Connection(DbConnection inner, CrashPlan plan) : DbConnection
    {
        public DbConnection Inner => inner;

        public CrashPlan Plan => plan;

        [AllowNull]
        public override string ConnectionString
        {
            get => inner.ConnectionString;
            set => inner.ConnectionString = value;
        }

        public override string Database => inner.Database;

        public override string DataSource => inner.DataSource;

        public override string ServerVersion => inner.ServerVersion;

        public override ConnectionState State => inner.State;

        public override void ChangeDatabase(string databaseName) => inner.ChangeDatabase(databaseName);

        public override void Close() => inner.Close();

        public override void Open() => inner.Open();

        public override async Task OpenAsync(CancellationToken cancellationToken)
        {
            Pass();
            await inner.OpenAsync(cancellationToken);
            Pass();
        }

        public void Pass() => plan.Pass(inner.Dispose);

        public override ValueTask DisposeAsync() => inner.DisposeAsync();

        protected override DbTransaction BeginDbTransaction(IsolationLevel isolationLevel) => throw new NotSupportedException();

        protected override async ValueTask<DbTransaction> BeginDbTransactionAsync(IsolationLevel isolationLevel, CancellationToken cancellationToken)
        {
            Pass();
            var transaction = new Transaction(this, await inner.BeginTransactionAsync(isolationLevel, cancellationToken));
            Pass();
            return transaction;
        }

        protected override DbCommand CreateDbCommand() => new Command(this, inner.CreateCommand());
    }

    private sealed class Transaction(Connection connection, DbTransaction inner) : DbTransaction
    {
        public DbTransaction Inner => inner;

        public override IsolationLevel IsolationLevel => inner.IsolationLevel;

        protected override DbConnection DbConnection => connection;

        public override void Commit() => throw new NotSupportedException();

        public override void Rollback() => throw new NotSupportedException();

        public override async Task CommitAsync(CancellationToken cancellationToken = default)
        {
            connection.Pass();
            await inner.CommitAsync(cancellationToken);
            connection.Pass();
        }

        public override async ValueTask DisposeAsync()
        {
            if (!connection.Plan.IsDead)
                await inner.DisposeAsync();
        }
    }

    private sealed class Command(Connection connection, DbCommand inner) : DbCommand
    {
        private Transaction? _transaction;

        [AllowNull]
        public override string CommandText
        {
            get => inner.CommandText;
            set => inner.CommandText = value;
        }

        public override int CommandTimeout
        {
            get => inner.CommandTimeout;
            set => inner.CommandTimeout = value;
        }

        public override CommandType CommandType
        {
            get => inner.CommandType;
            set => inner.CommandType = value;
        }

        public override bool DesignTimeVisible { get; set; }

        public override UpdateRowSource UpdatedRowSource { get; set; }

        protected override DbConnection? DbConnection
        {
            get => connection;
            set => throw new NotSupportedException();
        }

        protected override DbParameterCollection DbParameterCollection => inner.Parameters;

        protected override DbTransaction? DbTransaction
        {
            get => _transaction;
            set
            {
                _transaction = (Transaction?)value;
                inner.Transaction = _transaction?.Inner;
            }
        }

        public override void Cancel() => inner.Cancel();

        public override void Prepare() => inner.Prepare();

        public override int ExecuteNonQuery() => throw new NotSupportedException();

        public override object? ExecuteScalar() => throw new NotSupportedException();

        public override async Task<int> ExecuteNonQueryAsync(CancellationToken cancellationToken)
        {
            connection.Pass();
            var changed = await inner.ExecuteNonQueryAsync(cancellationToken);
            connection.Pass();
            return changed;
        }

        public override async Task<object?> ExecuteScalarAsync(CancellationToken cancellationToken)
        {
            connection.Pass();
            var value = await inner.ExecuteScalarAsync(cancellationToken);
            connection.Pass();
            return value;
        }

        public override async ValueTask DisposeAsync()
        {
            if (!connection.Plan.IsDead)
                await inner.DisposeAsync();
        }

        protected override DbParameter CreateDbParameter() => inner.CreateParameter();

        protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior) => throw new NotSupportedException();

        // What was read is known only when it was read whole: there is no point behind the statement.
        protected override Task<DbDataReader> ExecuteDbDataReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken)
        {
            connection.Pass();
            return inner.ExecuteReaderAsync(behavior, cancellationToken);
        }
    }
}
